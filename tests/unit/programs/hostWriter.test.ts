/** The log's one steady writer: what comes while it writes goes together, and one batch that is wrong spoils no other. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type Batch, EventLogError, type EventLogShape } from "../../../src/log/EventLog.ts"
import { makeWriter } from "../../../src/programs/host/writer.ts"
import { draftOf } from "../../support/log/drafts.ts"

let scope: Scope.CloseableScope
beforeEach(() => {
  scope = Effect.runSync(Scope.make())
})
afterEach(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const batch = (stream: string, facts = 1): Batch => {
  const drafts = Array.from({ length: facts }, () => draftOf(stream))
  return { stream, expected: "any", drafts: drafts as unknown as Batch["drafts"] }
}

const writing = (appendMany: EventLogShape["appendMany"]) =>
  Effect.runPromise(Scope.extend(makeWriter({ appendMany }), scope))

const streams = (batches: readonly Batch[]) => batches.map(({ stream }) => stream)

it("writes together what comes in one turn of the loop, and no more than 500 facts of it", async () => {
  const written: (readonly string[])[] = []
  const { commit } = await writing((batches) => {
    written.push(streams(batches))
    return Effect.succeed([])
  })
  await Promise.all(["a", "b", "c"].map((stream) => commit([batch(stream, 250)])))
  expect(written).toEqual([["a", "b"], ["c"]])
})

it("writes each by itself where the log takes none of a group, and says whose it was", async () => {
  const error = new EventLogError({ op: "append", reason: "conflict", detail: "b is another fact" })
  const { commit } = await writing((batches) =>
    streams(batches).includes("b") ? Effect.fail(error) : Effect.succeed([])
  )
  const told = await Promise.allSettled(["a", "b", "c"].map((stream) => commit([batch(stream)])))
  expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(told[1]).toMatchObject({ reason: { message: "b is another fact" } })
})

it("tries nothing again where the log itself cannot be written, and goes on with what comes later", async () => {
  let tried = 0
  const full = new EventLogError({ op: "append", reason: "io", detail: "full" })
  const { commit } = await writing(() => (++tried === 1 ? Effect.fail(full) : Effect.succeed([])))
  const told = await Promise.allSettled(["a", "b"].map((stream) => commit([batch(stream)])))
  expect(told.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  expect(tried).toBe(1)
  await commit([batch("c")])
})

it("outlives a log that fails in a way that nobody foresaw", async () => {
  let tried = 0
  const { commit } = await writing(() =>
    ++tried === 1 ? Effect.die(new Error("a defect")) : Effect.succeed([])
  )
  await expect(commit([batch("a")])).rejects.toThrow("a defect")
  await commit([batch("b")])
})
