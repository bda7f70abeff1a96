/** What every EventLog promises, as one suite over a Layer. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { uuidv7 } from "../../../events/ids.ts"
import { EventLog, type EventLogError, type Expected, type Filter } from "../../../src/log/EventLog.ts"
import { draftOf } from "../../support/log/drafts.ts"
import { eventLogReading, type Put } from "./eventLogReading.ts"

const all = (filter?: Filter) =>
  Effect.flatMap(EventLog, (log) => Effect.map(Stream.runCollect(log.read(filter)), Chunk.toReadonlyArray))

/** What a log is given to read. */
const put: Put = (drafts) =>
  Effect.flatMap(EventLog, (log) =>
    log.appendMany(drafts.map((one) => ({ stream: one.stream, expected: "any", drafts: [one] })))
  )

export const eventLogContract = (name: string, layer: () => Layer.Layer<EventLog, EventLogError>) => {
  const test = (title: string, run: () => Effect.Effect<void, EventLogError, EventLog>) =>
    it.live(title, () => Effect.provide(run(), layer()))

  eventLogReading(name, layer, put)

  describe(`${name}: EventLog`, () => {
    test("reads back what was appended, in order, without a gap", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const first = yield* log.append("s/1", "any", [draftOf("s/1"), draftOf("s/1")])
        const second = yield* log.append("s/2", "any", [draftOf("s/2", { session: "S", agent: "codex" })])
        const facts = yield* all()
        expect(facts).toEqual([...first, ...second])
        expect(facts.map(({ position }) => position)).toEqual([1, 2, 3])
        expect(facts.map(({ version }) => version)).toEqual([1, 2, 1])
        expect(facts.map(({ known }) => known)).toEqual([true, true, true])
        expect(facts[2]).toMatchObject({ session: "S", agent: "codex", type: "EXITED", cause: null })
      }))

    test("enforces the expected version", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const attempt = (expected: Expected) =>
          Effect.map(
            Effect.either(log.append("s/1", expected, [draftOf("s/1")])),
            Either.match({ onLeft: ({ reason }) => reason, onRight: ([fact]) => fact?.version })
          )
        expect(yield* attempt("stream-exists")).toBe("version")
        expect(yield* attempt({ exact: 1 })).toBe("version")
        expect(yield* attempt({ exact: 0 })).toBe(1)
        expect(yield* attempt("no-stream")).toBe("version")
        expect(yield* attempt("stream-exists")).toBe(2)
        expect(yield* attempt({ exact: 1 })).toBe("version")
        expect(yield* attempt({ exact: 2 })).toBe(3)
        expect(yield* attempt("any")).toBe(4)
        expect(yield* all()).toHaveLength(4)
      }))

    test("appends all of several streams or nothing, and leaves no gap behind", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const result = yield* Effect.either(
          log.appendMany([
            { stream: "a", expected: "any", drafts: [draftOf("a")] },
            { stream: "b", expected: "stream-exists", drafts: [draftOf("b")] }
          ])
        )
        expect(Either.isLeft(result)).toBe(true)
        expect(yield* all()).toEqual([])
        yield* log.append("c", "no-stream", [draftOf("c")])
        expect((yield* all()).map(({ position }) => position)).toEqual([1])
      }))

    test("records a fact once, however often it comes, and refuses another body under its id", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const draft = draftOf("s")
        const [first] = yield* log.append("s", "no-stream", [draft])
        const again = yield* log.append("s", "no-stream", [draft, draft])
        expect(again).toEqual([first, first])
        const other = draftOf("s", { id: draft.id, data: { type: "EXITED", code: 2, ms: {} } })
        const result = yield* Effect.either(log.append("s", "any", [other]))
        expect(Either.getLeft(result)).toMatchObject({ value: { op: "append", reason: "conflict" } })
        const mixed = yield* log.append("s", "any", [draft, draftOf("s")])
        expect(mixed.map(({ version }) => version)).toEqual([1, 2])
        expect(yield* all()).toHaveLength(2)
      }))

    test("keeps data of every size exactly, and large data once", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const sizes = [1, 65_000, 65_536, 70_000, 10_000_000]
        for (const size of sizes) {
          const data = {
            type: "NOTE",
            text: 'é\n\\"\u0000\ud800x'.padEnd(size, "ab\u2028"),
            list: [null, 1.5]
          }
          yield* log.append("big", "any", [
            draftOf("big", { type: "NOTE", data }),
            draftOf("big", { type: "NOTE", data })
          ])
          const pair = yield* all({ stream: "big", reverse: true, limit: 2 })
          for (const fact of pair) expect(JSON.stringify(fact.data) === JSON.stringify(data)).toBe(true)
        }
        const { blobs } = yield* log.stats
        // What is in memory needs no second place.
        expect([0, 4]).toContain(blobs)
      }))

    test("keeps a fact nobody knows, and one that is not what its type says", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        yield* log.append("s", "any", [
          draftOf("s", { type: "FROM_THE_FUTURE", data: { type: "FROM_THE_FUTURE", x: [1] } }),
          draftOf("s", { data: { type: "EXITED", code: "zero", ms: {} } }),
          draftOf("s", { schemaVersion: 99 }),
          draftOf("s")
        ])
        const facts = yield* all()
        expect(facts.map(({ known }) => known)).toEqual([false, false, false, true])
        expect(facts.map(({ data }) => data)).toEqual([
          { type: "FROM_THE_FUTURE", x: [1] },
          { type: "EXITED", code: "zero", ms: {} },
          { type: "EXITED", code: 0, ms: {} },
          { type: "EXITED", code: 0, ms: {} }
        ])
      }))

    test("finds the jobs of an invocation, whose first fact names it", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const enqueued = (job: string, invocation: string) => ({
          ...{ type: "JOB_ENQUEUED", job, kind: "hook", maxAttempts: 1, deadlineMs: 1, input: null },
          invocation
        })
        const died = { type: "JOB_DIED", attempts: 1, error: { name: "Error", message: "bad" } }
        const put = (stream: string, data: { readonly type: string }) =>
          log.append(stream, "any", [draftOf(stream, { type: data.type, data })])
        yield* put("invocation/abc", { type: "NOTE" })
        yield* put("invocation/abd", { type: "NOTE" })
        yield* put("job/one", enqueued("one", "abc"))
        yield* put("job/other", enqueued("other", "abd"))
        yield* put("job/other", died)
        yield* put("job/one", died)
        const positions = (filter: Filter) =>
          Effect.map(all(filter), (facts) => facts.map(({ position }) => position))
        expect(yield* positions({ invocation: "abc" })).toEqual([1, 3, 6])
        expect(yield* positions({ invocation: "abc", types: ["JOB_DIED"] })).toEqual([6])
        expect(yield* positions({ invocation: "abc", reverse: true })).toEqual([6, 3, 1])
        expect(yield* positions({ stream: "invocation/abc" })).toEqual([1])
        expect(yield* positions({ invocation: "ab" })).toEqual([])
      }))

    test("remembers how far a reader came", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        expect(yield* log.checkpoint("metrics")).toBe(0)
        yield* log.setCheckpoint("metrics", 7)
        yield* log.setCheckpoint("metrics", 9)
        yield* log.setCheckpoint("other", 1)
        expect(yield* log.checkpoint("metrics")).toBe(9)
      }))

    test("forgets whole streams and never gives a position again", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const data = { type: "NOTE", text: "x".repeat(70_000) }
        yield* log.append("a", "any", [draftOf("a", { type: "NOTE", data }), draftOf("a")])
        yield* log.append("b", "any", [draftOf("b", { type: "NOTE", data })])
        expect(yield* log.forget(["a", "none"])).toBe(2)
        expect((yield* all()).map(({ stream, data }) => [stream, data])).toEqual([["b", data]])
        expect(yield* log.forget(["b"])).toBe(1)
        const [next] = yield* log.append("a", "no-stream", [draftOf("a")])
        expect(next).toMatchObject({ position: 4, version: 1 })
        expect(yield* log.stats).toMatchObject({ facts: 1, streams: 1, blobs: 0, last: 4 })
      }))

    test("takes a text out of whatever holds it, in every writing, and leaves the rest as it was", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const text = 'plan "word" é'
        const nested = JSON.stringify({ out: JSON.stringify({ line: `a ${text} b` }) })
        const long = `${"x".repeat(70_000)}${text}`
        const held = [
          { type: "NOTE", text: `it is ${text}.` },
          { type: "NOTE", nested },
          { type: "NOTE", url: `https://x/?find=${encodeURIComponent(text)}` },
          { type: "NOTE", [text]: 1 },
          { type: "NOTE", text: long }
        ]
        const other = { type: "NOTE", text: 'plan "words" é', long: "y".repeat(70_000) }
        for (const data of [...held, other])
          yield* log.append("s", "any", [draftOf("s", { type: "NOTE", data })])
        yield* log.append("t", "any", [draftOf("t", { type: "NOTE", data: { type: "NOTE", text: long } })])
        const before = yield* all()
        const changed = yield* log.redact(text)
        expect(changed).toEqual(
          [0, 1, 2, 3, 4, 6].map((at) => ({ id: before[at]?.id, stream: before[at]?.stream }))
        )
        const after = yield* all()
        for (const writing of ["word", "%22word"]) {
          const rest = JSON.stringify(after.filter((_, at) => at !== 5))
          expect(rest).not.toContain(writing)
        }
        expect(after[5]).toEqual(before[5])
        expect(after.map(({ data, known, ...head }) => head)).toEqual(
          before.map(({ data, known, ...head }) => head)
        )
        expect(after[4]?.data).toEqual({ type: "NOTE", text: `${"x".repeat(70_000)}‹forgotten›` })
        expect(after[6]?.data).toEqual(after[4]?.data)
        expect(yield* log.redact(text)).toEqual([])
        expect((yield* log.stats).blobs).toBeLessThanOrEqual(2)
      }))

    test("refuses a fact of another stream, and data that is no JSON", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const loop: { type: string; self?: unknown } = { type: "NOTE" }
        loop.self = loop
        for (const draft of [draftOf("other"), draftOf("s", { type: "NOTE", data: loop })]) {
          const result = yield* Effect.either(log.append("s", "any", [draft]))
          expect(Either.getLeft(result)).toMatchObject({ value: { reason: "invalid" } })
        }
        expect(yield* all()).toEqual([])
      }))

    test("takes only what was redacted", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const plain = { ...draftOf("s"), id: uuidv7(1, new Uint8Array(10)) as never, cause: null }
        const { data, ...head } = plain
        // @ts-expect-error a draft that did not go through the redactor cannot be appended
        const refused = () => log.append("s", "any", [{ ...(head as object), data }])
        expect(refused).toBeTypeOf("function")
      }))
  })
}
