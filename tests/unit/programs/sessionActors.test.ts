/** Sessions as actors: where each stands is told by its calls, whoever hears them, and however often a host is killed meanwhile. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { EventLog, EventLogError, type EventLogShape } from "../../../src/log/EventLog.ts"
import { silentMs } from "../../../src/log/lost.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { startSessionActors, toldBy } from "../../../src/programs/host/sessionActors.ts"
import type { ActorFrame } from "../../../src/runtime/actors/ActorView.ts"
import { followed, type LogActor } from "../../../src/runtime/actors/logActors.ts"
import { makeRegistry } from "../../../src/runtime/actors/registry.ts"
import { unfinished } from "../../../src/runtime/actors/unfinished.ts"
import { draftOf } from "../../support/log/drafts.ts"

const agent = "claude-code"
const stream = (session: string) => `session/${agent}/${session}`
let calls = 0

/** A call of a session that is over; `at` milliseconds since 1970. */
const call = (log: EventLogShape, event: string, session = "s1", at = 1000) => {
  const on = `invocation/${++calls}`
  return log.append(on, "any", [
    draftOf(on, { type: "EXITED", at, agent, event, session, project: "/p", data: { type: "EXITED" } })
  ])
}

const world = Effect.gen(function* () {
  const log = yield* EventLog
  const clock = { now: 1000 }
  const registry = makeRegistry({ now: () => clock.now })
  const problems: string[] = []
  const startWith = (log: EventLogShape) =>
    startSessionActors({
      log,
      registry,
      sources: { now: () => clock.now, random: (count) => new Uint8Array(count).fill(++calls) },
      isIdle: () => true,
      note: (problem) => void problems.push(problem),
      againMs: 0
    })
  const start = startWith(log)
  /** The first so many facts of sessions. */
  const told = (many: number) =>
    Stream.runCollect(
      Stream.take(
        Stream.filter(log.follow(0), (fact) => fact.stream.startsWith("session/")),
        many
      )
    ).pipe(Effect.map(Chunk.toReadonlyArray))
  /** Heard until here by a host that is then killed. */
  const hosted = (many: number) =>
    Effect.gen(function* () {
      const host = yield* Effect.fork(Effect.scoped(Effect.zipRight(start, Effect.never)))
      const facts = yield* told(many)
      yield* Fiber.interrupt(host)
      return facts
    })
  return { clock, log, registry, start, startWith, told, hosted, problems }
})

const bare = (facts: readonly { readonly stream: string; readonly data: unknown }[]) =>
  facts.map(({ data, stream }) => {
    const { because, type } = data as { type: string; because: string }
    return `${stream.split("/").at(-1)} ${type} ${because}`
  })

describe("a session", () => {
  it.each([
    ["unseen", "session.start", "SESSION_OPENED"],
    ["unseen", "tool.after", "SESSION_OPENED"],
    ["unseen", "session.end", undefined],
    // hooktape's own events are no word of the agent's.
    ["unseen", "checkpoint.before", undefined],
    ["unseen", "agent.Strange", undefined],
    ["open", "prompt.submit", undefined],
    ["open", "notify", undefined],
    ["open", "turn.stop", "SESSION_IDLED"],
    ["open", "turn.interrupt", "SESSION_IDLED"],
    ["open", "session.end", "SESSION_ENDED"],
    ["idle", "notify", undefined],
    // What follows from work may come after the turn.
    ["idle", "tool.after", undefined],
    ["idle", "turn.stop", undefined],
    ["idle", "prompt.submit", "SESSION_RESUMED"],
    ["idle", "session.end", "SESSION_ENDED"],
    ["ended", "session.end", undefined],
    ["ended", "notify", undefined],
    ["ended", "session.start", "SESSION_RESUMED"]
  ] as const)("that is %s is told by %s: %s", (state, event, told) => {
    expect(toldBy(state, event)).toBe(told)
  })

  it.scopedLive("opens, waits, goes on, ends and is taken up again, each beside the others", () =>
    Effect.gen(function* () {
      const { hosted, log, problems } = yield* world
      yield* call(log, "session.start")
      yield* call(log, "turn.stop", "s2", 2000)
      yield* call(log, "prompt.submit")
      yield* call(log, "turn.stop", "s1", 3000)
      yield* call(log, "prompt.submit")
      yield* call(log, "session.end")
      yield* call(log, "session.start")
      const facts = yield* hosted(7)
      expect(bare(facts)).toEqual([
        "s1 SESSION_OPENED session.start",
        "s2 SESSION_OPENED turn.stop",
        "s2 SESSION_IDLED turn.stop",
        "s1 SESSION_IDLED turn.stop",
        "s1 SESSION_RESUMED prompt.submit",
        "s1 SESSION_ENDED session.end",
        "s1 SESSION_RESUMED session.start"
      ])
      expect(facts.every(({ known }) => known)).toBe(true)
      expect(facts[3]).toMatchObject({ at: 3000, agent, session: "s1", project: "/p", version: 2 })
      expect(problems).toEqual([])
    }).pipe(Effect.provide(layerMemory()))
  )

  const day = ["session.start", "prompt.submit", "turn.stop", "prompt.submit", "turn.stop", "session.end"]
  const wanted = [
    "s1 SESSION_OPENED session.start",
    "s1 SESSION_IDLED turn.stop",
    "s1 SESSION_RESUMED prompt.submit",
    "s1 SESSION_IDLED turn.stop",
    "s1 SESSION_ENDED session.end"
  ]

  it.each([1, 2, 3, 4, 5])(
    "whose host is killed after its fact %i ends where one does whose host lived",
    (killed) =>
      Effect.gen(function* () {
        const { hosted, log } = yield* world
        for (const event of day) yield* call(log, event)
        yield* hosted(killed)
        expect(bare(yield* hosted(5))).toEqual(wanted)
      }).pipe(Effect.provide(layerMemory()), Effect.runPromise)
  )

  it.scopedLive("is shown live as the log replays it", () =>
    Effect.gen(function* () {
      const { log, registry, start, told } = yield* world
      const watcher = registry.watch()
      yield* start
      yield* Effect.forEach(day, (event) => call(log, event))
      const facts = yield* told(5)
      const live: ActorFrame[] = []
      while (live.length < 5) live.push(...(yield* Effect.promise(() => watcher.next(10_000))).frames)
      let actor: LogActor | undefined
      const replayed = facts.map((fact) => {
        const step = followed(actor, fact)
        actor = step?.actor
        return step?.frame
      })
      expect(live).toEqual(replayed.map((frame) => ({ ...frame, at: expect.any(String) })))
      expect(live.map(({ after }) => after)).toEqual(["open", "idle", "open", "idle", "ended"])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.scopedLive("that was forgotten meanwhile begins anew with its next call", () =>
    Effect.gen(function* () {
      const { log, problems, start, told } = yield* world
      yield* start
      yield* call(log, "session.start")
      yield* told(1)
      yield* log.forget([stream("s1")])
      yield* call(log, "turn.stop")
      const facts = yield* told(2)
      expect(bare(facts)).toEqual(["s1 SESSION_OPENED turn.stop", "s1 SESSION_IDLED turn.stop"])
      expect(problems).toEqual([])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.scopedLive("is among the actors until it ends, or nothing was heard of it for a day", () =>
    Effect.gen(function* () {
      const { clock, log, registry, start, told } = yield* world
      yield* call(log, "session.start", "silent", 1000)
      yield* call(log, "turn.stop", "silent too", 1000)
      yield* call(log, "session.start", "works", 2000)
      yield* call(log, "turn.stop", "waits", 2000)
      yield* call(log, "session.start", "over", 2000)
      yield* call(log, "session.end", "over", 2000)
      yield* start
      yield* told(8)
      const shown = () => registry.actors().map(({ state, stream }) => `${stream} ${state}`)
      yield* Effect.repeat(Effect.yieldNow(), { until: () => shown().length === 4 })
      clock.now = 1001 + silentMs
      expect(shown().sort()).toEqual([`${stream("waits")} idle`, `${stream("works")} open`])
      const onLog = (yield* unfinished(clock.now)).filter(({ machine }) => machine === "session")
      expect(onLog.map(({ lost, state, stream }) => [stream, state, lost])).toEqual([
        [stream("works"), "open", undefined],
        [stream("waits"), "idle", undefined]
      ])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.scopedLive("that works for days is shown as long as it is heard of, by the next host too", () =>
    Effect.gen(function* () {
      const { clock, hosted, log, registry, start } = yield* world
      yield* call(log, "session.start", "s1", 1000)
      yield* hosted(1)
      clock.now = 1001 + silentMs
      yield* start
      yield* call(log, "tool.before", "s1", clock.now)
      const shown = () => registry.actors().map(({ state, stream }) => `${stream} ${state}`)
      yield* Effect.repeat(Effect.yieldNow(), { until: () => shown().length > 0 })
      expect(shown()).toEqual([`${stream("s1")} open`])
      clock.now += silentMs + 1
      expect(shown()).toEqual([])
    }).pipe(Effect.provide(layerMemory()))
  )

  it.scopedLive("that cannot be written down is told of once, and followed when it can", () =>
    Effect.gen(function* () {
      const { log, problems, startWith, told } = yield* world
      let isFull = true
      let tries = 0
      const failing: EventLogShape = {
        ...log,
        append: (...all) => {
          tries++
          return isFull
            ? Effect.fail(new EventLogError({ op: "append", reason: "io", detail: "the disk is full" }))
            : log.append(...all)
        }
      }
      const { state } = yield* startWith(failing)
      yield* call(log, "session.start")
      yield* Effect.repeat(Effect.yieldNow(), { until: () => state() === "the disk is full" })
      yield* Effect.repeat(Effect.sleep(0), { until: () => tries > 1 })
      isFull = false
      expect(bare(yield* told(1))).toEqual(["s1 SESSION_OPENED session.start"])
      yield* Effect.repeat(Effect.yieldNow(), { until: () => state() === "ready" })
      expect(tries).toBeGreaterThan(1)
      expect(problems).toEqual(["sessions are not followed: the disk is full", "sessions are followed"])
    }).pipe(Effect.provide(layerMemory()))
  )
})
