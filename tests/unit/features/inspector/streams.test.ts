/** What whoever watches is told: each call as it ends, also where its end is written while the log is being asked, whoever else is slow. */
import { EventEmitter } from "node:events"
import { mkdtempSync, renameSync, rmSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { homedir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { InvocationFact } from "../../../../events/facts.ts"
import type { StreamEvents } from "../../../../src/features/inspector/contract/stream.ts"
import { makeStreams, type Streams } from "../../../../src/features/inspector/server/streams.ts"
import type { World } from "../../../../src/features/inspector/server/World.ts"
import { type KeptTimeline, keepTimeline } from "../../../../src/features/timeline/keepTimeline.ts"
import { buffered, opened } from "../../../support/facts.ts"
import { appendTo } from "../../../support/log/appendTo.ts"

let file: string
let state: string
let timeline: KeptTimeline
let streams: Streams
let notes: string[]

const write = (...facts: readonly [InvocationFact, ...InvocationFact[]]): Promise<unknown> =>
  appendTo(file, ...facts)
const ended: InvocationFact = { type: "EXITED", code: 0, ms: {} }

const answer: World["ask"] = (question) =>
  timeline.ask((db) => question({ db, state, now: Date.now(), version: "1" }))

const serve = (over: Partial<World>): void => {
  const world: World = {
    ask: answer,
    hasNews: timeline.hasNews,
    hasSpooled: () => false,
    takeIn: async () => {},
    bringUp: async () => {},
    actors: async () => undefined,
    host: async () => undefined,
    agents: async () => [],
    ...over
  }
  streams = makeStreams(world, (text) => notes.push(text))
}

/** A page that watches: what it heard of the calls, and whether it was let in and is still there. */
const watch = (topics = "calls") => {
  const heard: string[] = []
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableLength: 0,
    writeHead: () => undefined,
    end: () => undefined,
    destroy: () => {
      response.destroyed = true
      response.emit("close")
    },
    write: (text: string) => {
      const [, event = "", data = ""] = /^event: (\w+)\nid: \d+\ndata: (.*)\n\n$/.exec(text) ?? []
      if (event === "calls")
        heard.push(...(JSON.parse(data) as StreamEvents["calls"]).calls.map(({ outcome }) => outcome))
    }
  })
  return { heard, response, isIn: streams.open(response as unknown as ServerResponse, { topics }) }
}
const watched = async (topics?: string) => {
  const { heard, isIn, response } = watch(topics)
  expect(await isIn).toBeUndefined()
  return { heard, response }
}

beforeEach(async () => {
  state = mkdtempSync(join(homedir(), "streams-"))
  file = join(state, "log.sqlite")
  await write(opened())
  timeline = keepTimeline(file)
  notes = []
})
afterEach(() => {
  streams.close()
  timeline.close()
})

it("is told that a call has ended also where the calls were not brought up to date for a while", async () => {
  /** As where the end is written when they were, and nothing was asked yet; or where somebody else writes for long. */
  const behind: World["ask"] = (question) => {
    const db = new Sqlite(file, { readonly: true })
    try {
      const prepare = (sql: string) => db.prepare<unknown[]>(sql)
      return question({ db: { prepare }, state, now: Date.now(), version: "1" })
    } finally {
      db.close()
    }
  }
  let isAsked = false
  let asksBehind = 0
  serve({
    hasNews: () => isAsked && timeline.hasNews(),
    ask: (question) => (asksBehind-- > 0 ? behind : answer)(question)
  })
  const { heard } = await watched()
  await write(buffered())
  answer(() => undefined)
  await write(ended)
  asksBehind = 5
  isAsked = true
  await expect.poll(() => heard.at(-1), { timeout: 60_000 }).toBe("silent")
})

it("is told of a call while the host says nothing of itself and the spool is not to be had", async () => {
  const never = new Promise<never>(() => undefined)
  let isStarted = false
  let takings = 0
  serve({
    hasSpooled: () => true,
    takeIn: () => {
      takings++
      return never
    },
    host: () => (isStarted ? never : Promise.resolve(undefined))
  })
  const { heard } = await watched()
  isStarted = true
  await write(buffered())
  await expect.poll(() => heard.length, { timeout: 60_000 }).toBeGreaterThan(0)
  await write(ended)
  await expect.poll(() => heard.at(-1), { timeout: 60_000 }).toBe("silent")
  expect(takings).toBe(1)
})

it("is let go where more came than it can follow, to read anew", async () => {
  serve({})
  const { response } = await watched("facts")
  await write(ended, ...Array.from({ length: 1000 }, () => buffered()))
  await expect.poll(() => response.destroyed, { timeout: 60_000 }).toBe(true)
})

it("finds room where others left while they were let in", async () => {
  const held: (() => void)[] = []
  let isHeld = true
  serve({
    host: () => new Promise((resolve) => (isHeld ? held.push(() => resolve(undefined)) : resolve(undefined)))
  })
  const gone = Array.from({ length: 40 }, () => watch())
  for (const { response } of gone) response.destroy()
  isHeld = false
  for (const go of held) go()
  for (const { isIn } of gone) await isIn
  await watched()
})

it("finds room for sixteen, however many come at once", async () => {
  serve({})
  const all = await Promise.all(Array.from({ length: 20 }, () => watch().isIn))
  expect(all.map((refused) => refused?.status)).toEqual([
    ...Array.from({ length: 16 }, () => undefined),
    ...Array.from({ length: 4 }, () => 409)
  ])
})

it("is let go where another log stands in the place of the one it knows, to come again", async () => {
  await write(ended)
  serve({})
  const { response } = await watched()
  const next = join(state, "next.sqlite")
  const place = file
  file = next
  await write(opened())
  file = place
  renameSync(next, file)
  for (const ending of ["-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true })
  await expect.poll(() => response.destroyed, { timeout: 60_000 }).toBe(true)
})

it("has the operator told once that the log cannot be read, and goes on when it can", async () => {
  let isBroken = false
  serve({
    hasNews: () => true,
    ask: (question) => {
      if (isBroken) throw new Error("file is not a database")
      return answer(question)
    }
  })
  const { heard } = await watched()
  isBroken = true
  await expect.poll(() => notes.length, { timeout: 60_000 }).toBe(1)
  // The states are asked for once a second, and fail for the same reason.
  let looks = 0
  await expect.poll(() => ++looks > 20, { interval: 20, timeout: 60_000 }).toBe(true)
  expect(notes).toEqual(["file is not a database"])
  isBroken = false
  await write(buffered())
  await expect.poll(() => heard.length, { timeout: 60_000 }).toBeGreaterThan(0)
})
