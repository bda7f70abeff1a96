/** What whoever watches is told: each call as it ends, also where its end is written while the log is being asked, whoever else is slow. */
import { EventEmitter } from "node:events"
import { mkdtempSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { homedir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { InvocationFact } from "../../../../events/facts.ts"
import type { StreamEvents } from "../../../../src/features/inspector/contract/stream.ts"
import { makeStreams, type Streams } from "../../../../src/features/inspector/server/streams.ts"
import type { World } from "../../../../src/features/inspector/server/World.ts"
import { askTimeline } from "../../../../src/features/timeline/catchUp.ts"
import { EventLog } from "../../../../src/log/EventLog.ts"
import { makeNews, type News } from "../../../../src/log/news.ts"
import { layerSqlite } from "../../../../src/log/sqlite/SqliteLog.ts"
import { buffered, opened } from "../../../support/facts.ts"
import { draftOf } from "../../../support/log/drafts.ts"

const invocation = "01890000-0000-7000-8000-000000000000"
const stream = `invocation/${invocation}`

let file: string
let state: string
let news: News
let streams: Streams

const write = (data: InvocationFact): Promise<unknown> =>
  Effect.runPromise(
    Effect.flatMap(EventLog, ({ append }) =>
      append(stream, "any", [draftOf(stream, { type: data.type, data, session: "s", agent: "raw" })])
    ).pipe(Effect.provide(layerSqlite({ file, source: "here" })))
  )
const ended: InvocationFact = { type: "EXITED", code: 0, ms: {} }

/** A page that watches; what it heard of the call last. */
const watch = async (over: Partial<World>) => {
  const world: World = {
    ask: (question) => askTimeline(file, (db) => question({ db, state, now: Date.now(), version: "1" })),
    hasNews: news.isThere,
    hasSpooled: () => false,
    takeIn: async () => {},
    bringUp: async () => {},
    actors: async () => undefined,
    host: async () => undefined,
    agents: async () => [],
    ...over
  }
  streams = makeStreams(world, (text) => {
    throw new Error(text)
  })
  const heard: string[] = []
  const response = Object.assign(new EventEmitter(), {
    writableLength: 0,
    writeHead: () => undefined,
    end: () => undefined,
    write: (text: string) => {
      const [, event = "", data = ""] = /^event: (\w+)\nid: \d+\ndata: (.*)\n\n$/.exec(text) ?? []
      if (event === "calls")
        heard.push(...(JSON.parse(data) as StreamEvents["calls"]).calls.map(({ outcome }) => outcome))
    }
  })
  await streams.open(response as unknown as ServerResponse, {})
  return heard
}

beforeEach(async () => {
  state = mkdtempSync(join(homedir(), "streams-"))
  file = join(state, "log.sqlite")
  await write(opened())
  news = makeNews(file)
})
afterEach(() => {
  streams.close()
  news.close()
})

it("is told that a call has ended also where that was written while the log was asked", async () => {
  let isAsked = false
  const answer: World["ask"] = (question) =>
    askTimeline(file, (db) => question({ db, state, now: Date.now(), version: "1" }))
  /** As where the end is written when the calls were brought up to date and nothing was asked yet. */
  const unready: World["ask"] = (question) => {
    const db = new Sqlite(file, { readonly: true })
    try {
      const prepare = (sql: string) => db.prepare<unknown[]>(sql)
      return question({ db: { prepare }, state, now: Date.now(), version: "1" })
    } finally {
      db.close()
    }
  }
  let asks = answer
  const heard = await watch({
    hasNews: () => isAsked && news.isThere(),
    ask: (question) => {
      const ask = asks
      if (isAsked) asks = answer
      return ask(question)
    }
  })
  await write(buffered())
  answer(() => undefined)
  await write(ended)
  asks = unready
  isAsked = true
  await expect.poll(() => heard.at(-1), { timeout: 60_000 }).toBe("silent")
})

it("is told of a call while the host says nothing of itself and the spool is not to be had", async () => {
  const never = new Promise<never>(() => undefined)
  let isStarted = false
  const heard = await watch({
    hasSpooled: () => true,
    takeIn: () => never,
    host: () => (isStarted ? never : Promise.resolve(undefined))
  })
  isStarted = true
  await write(buffered())
  await expect.poll(() => heard.length, { timeout: 60_000 }).toBeGreaterThan(0)
  await write(ended)
  await expect.poll(() => heard.at(-1), { timeout: 60_000 }).toBe("silent")
})
