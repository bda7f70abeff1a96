/** The invocation that led to a job. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { InvocationId } from "../../../events/ids.ts"
import { invocationOf } from "../../../events/invocationOf.ts"
import type { Draft } from "../../../events/Recorded.ts"
import { factRow } from "../../../src/features/inspector/read/facts.ts"
import { makeQueue } from "../../../src/jobs/queue.ts"
import { retryJob } from "../../../src/jobs/retryJob.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { factJson } from "../../../src/programs/cli/render/factLine.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { forget } from "../../../src/tools/forget/forget.ts"
import * as fact from "../../support/facts.ts"
import { anId, died, enqueued } from "../../support/jobs/facts.ts"
import { boom, put, scripted } from "../../support/jobs/world.ts"
import { draftOf } from "../../support/log/drafts.ts"

const invocation = "01890000-0000-7000-8000-000000000001" as InvocationId
const stream = `invocation/${invocation}`
const job = `job/${anId}`

const planned = draftOf(stream, {
  type: "HANDLERS_PLANNED",
  data: {
    type: "HANDLERS_PLANNED",
    handlers: [],
    left: [],
    background: [{ ...fact.plannedHandler("later", 0), job: "01890000-0000-7000-8000-00000000000b" }]
  }
}) as unknown as Draft<InvocationFact>

const recorded = <A>(work: Effect.Effect<A, unknown, EventLog>): Promise<A> =>
  Effect.runPromise(Effect.provide(work, layerMemory("here")))

it("is what the first of them says", () =>
  recorded(
    Effect.gen(function* () {
      const log = yield* EventLog
      const [first] = yield* log.append(job, "any", [
        draftOf(job, { type: "JOB_ENQUEUED", data: enqueued({ invocation }) })
      ])
      if (first === undefined) throw new Error("nothing was recorded")
      expect(JSON.parse(factJson(first))).toMatchObject({ stream: job, invocation })
      expect(invocationOf({ ...first, data: enqueued() })).toBe(null)
    })
  ))

it("is what each further one says, whoever writes it, where an invocation led to the job", () =>
  recorded(
    Effect.gen(function* () {
      const runners = { test: scripted(() => boom("boom", true)).run }
      const led = yield* put({ invocation, maxAttempts: 1 })
      const own = yield* put({ maxAttempts: 1 })
      yield* Effect.scoped(Effect.flatMap(makeQueue({ runners }), ({ idle }) => idle))
      yield* retryJob(led, "operator")
      const { read } = yield* EventLog
      const told = (stream: string) =>
        Effect.map(Stream.runCollect(read({ stream })), (facts) =>
          [...facts].map((one) => [one.type, JSON.parse(factJson(one)).invocation, factRow(one).invocation])
        )
      const types = ["JOB_ENQUEUED", "JOB_STARTED", "JOB_FAILED", "JOB_DIED"]
      expect(yield* told(`job/${led}`)).toEqual(
        [...types, "JOB_RETRIED"].map((type) => [type, invocation, invocation])
      )
      expect(yield* told(`job/${own}`)).toEqual(types.map((type) => [type, null, null]))
    })
  ))

it("takes them along where it is forgotten, also those that no plan names", () =>
  recorded(
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* log.append(stream, "any", [redactDraft(planned)])
      yield* log.append(job, "any", [
        draftOf(job, { type: "JOB_ENQUEUED", data: enqueued({ invocation, kind: "note" }) }),
        draftOf(job, { type: "JOB_DIED", data: died(1) })
      ])
      const other = "job/another"
      yield* log.append(other, "any", [draftOf(other, { type: "JOB_DIED", data: died(1) })])
      const affected = yield* forget("here", { kind: "invocation", invocation })
      expect(affected.map((one) => [one.stream, one.facts])).toEqual([
        [stream, 1],
        [job, 2]
      ])
      const left = yield* Stream.runCollect(log.read())
      expect([...left].filter(({ type }) => type !== "FACT_REDACTED").map((one) => one.stream)).toEqual([
        other
      ])
    })
  ))
