/** What every EventLog promises to whoever reads it, as one suite: also of a view of what was shipped, which nobody appends to. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { EventLog, type EventLogError, type Filter } from "../../../src/log/EventLog.ts"
import type { RedactedDraft } from "../../../src/redact/redact.ts"
import { draftOf } from "../../support/log/drafts.ts"

/** Brings facts into the log, behind those that are there. */
export type Put = (drafts: readonly RedactedDraft[]) => Effect.Effect<unknown, EventLogError, EventLog>

const all = (filter?: Filter) =>
  Effect.flatMap(EventLog, (log) => Effect.map(Stream.runCollect(log.read(filter)), Chunk.toReadonlyArray))

export const eventLogReading = (
  name: string,
  layer: () => Layer.Layer<EventLog, EventLogError>,
  put: Put
) => {
  const test = (title: string, run: () => Effect.Effect<void, EventLogError, EventLog>) =>
    it.live(title, () => Effect.provide(run(), layer()))

  describe(`${name}: EventLog, read`, () => {
    test("gives facts as they are, also those that nobody knows, with their version in their stream", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const unknown = { type: "FROM_THE_FUTURE", x: [1] }
        const drafts = [
          draftOf("s/1", { session: "S", agent: "codex", agentEvent: "PreToolUse", event: "tool.before" }),
          draftOf("s/2"),
          draftOf("s/1", { type: "FROM_THE_FUTURE", data: unknown })
        ]
        yield* put(drafts)
        const facts = yield* all()
        expect(facts.map(({ position, version }) => [position, version])).toEqual([
          [1, 1],
          [2, 1],
          [3, 2]
        ])
        expect(facts.map(({ known }) => known)).toEqual([true, true, false])
        expect(facts.map(({ id, stream }) => [id, stream])).toEqual(
          drafts.map(({ id, stream }) => [id, stream])
        )
        expect(facts[0]).toMatchObject({ session: "S", agent: "codex", event: "tool.before", cause: null })
        expect(facts[2]?.data).toEqual(unknown)
        expect(yield* log.has([...drafts.map(({ id }) => id), "another"])).toEqual(
          new Set(drafts.map(({ id }) => id))
        )
        expect(yield* log.stats).toMatchObject({ facts: 3, streams: 2, last: 3 })
      }))

    test("finds by every mark, by position, by time and backwards", () =>
      Effect.gen(function* () {
        yield* put([
          draftOf("invocation/abc", {
            agent: "codex",
            agentEvent: "PreToolUse",
            event: "tool.before",
            session: "S",
            project: "/p",
            at: 10
          }),
          draftOf("invocation/abc", { agent: "codex", at: 20 })
        ])
        yield* put([draftOf("invocation/abd", { type: "NOTE", data: { type: "NOTE" }, at: 30 })])
        const positions = (filter: Filter) =>
          Effect.map(all(filter), (facts) => facts.map(({ position }) => position))
        expect(yield* positions({ agent: "codex" })).toEqual([1, 2])
        expect(yield* positions({ event: "tool.before" })).toEqual([1])
        expect(yield* positions({ session: "S" })).toEqual([1])
        expect(yield* positions({ project: "/p" })).toEqual([1])
        expect(yield* positions({ types: ["NOTE", "OTHER"] })).toEqual([3])
        expect(yield* positions({ types: [] })).toEqual([])
        expect(yield* positions({ stream: "invocation/abc" })).toEqual([1, 2])
        expect(yield* positions({ streamPrefix: "invocation/ab" })).toEqual([1, 2, 3])
        expect(yield* positions({ streamPrefix: "invocation/abd" })).toEqual([3])
        expect(yield* positions({ invocation: "abc" })).toEqual([1, 2])
        expect(yield* positions({ since: 20 })).toEqual([2, 3])
        expect(yield* positions({ after: 1, before: 3 })).toEqual([2])
        expect(yield* positions({ reverse: true, limit: 2 })).toEqual([3, 2])
        expect(yield* positions({ limit: 0 })).toEqual([])
      }))

    test("reads more than a page, each way", () =>
      Effect.gen(function* () {
        for (let batch = 0; batch < 5; batch++) {
          yield* put(Array.from({ length: 501 }, () => draftOf("s")))
        }
        const up = (yield* all()).map(({ position }) => position)
        expect(up).toEqual(Array.from({ length: 2505 }, (_, at) => at + 1))
        expect((yield* all({ reverse: true })).map(({ position }) => position)).toEqual(up.reverse())
        expect(yield* all({ limit: 1500 })).toHaveLength(1500)
      }))

    test("follows: what was there, then what comes, each once and in order", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        yield* put([draftOf("s"), draftOf("s"), draftOf("s")])
        const fiber = yield* Effect.fork(Stream.runCollect(Stream.take(log.follow(1), 52)))
        for (let n = 0; n < 50; n++) {
          yield* put([draftOf("s")])
          yield* Effect.yieldNow()
        }
        const facts = Chunk.toReadonlyArray(yield* Fiber.join(fiber))
        expect(facts.map(({ position }) => position)).toEqual(Array.from({ length: 52 }, (_, at) => at + 2))
      }))

    test("follows with a filter, and ends when interrupted", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const fiber = yield* Effect.fork(Stream.runCollect(Stream.take(log.follow(0, { stream: "b" }), 2)))
        yield* put([draftOf("a")])
        yield* put([draftOf("b")])
        yield* put([draftOf("a")])
        yield* put([draftOf("b")])
        expect(Chunk.toReadonlyArray(yield* Fiber.join(fiber)).map(({ position }) => position)).toEqual([
          2, 4
        ])
        const waiting = yield* Effect.fork(Stream.runDrain(log.follow(4)))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(waiting)
      }))
  })
}
