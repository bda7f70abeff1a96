/** A log with jobs on it, and a runner that does as it is told and remembers what it was asked. */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { JobFact } from "../../../events/facts.ts"
import type { FactId, JobId } from "../../../events/ids.ts"
import { type Draft, noMarks } from "../../../events/Recorded.ts"
import { type Done, JobError, type Runner, type Work } from "../../../src/jobs/Runner.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { enqueue, type NewJob } from "../../../src/runtime/enqueue.ts"
import { nextId } from "../log/drafts.ts"

let count = 0
const sources = {
  now: () => 1_760_000_000_000 + count++,
  random: (bytes: number) => {
    const random = new Uint8Array(bytes)
    new DataView(random.buffer).setUint32(4, count++)
    return random
  }
}

/** Enqueues a job and says which. */
export const put = Effect.fnUntraced(function* (job: Partial<NewJob> = {}) {
  const log = yield* EventLog
  const draft = enqueue({ kind: "test", input: null, ...job }, sources)
  yield* log.append(draft.stream, "no-stream", [redactDraft(draft)])
  return draft.data.job as JobId
})

/** Appends facts to a job's stream as they are. */
export const append = Effect.fnUntraced(function* (job: string, ...facts: readonly JobFact[]) {
  const log = yield* EventLog
  for (const data of facts) {
    const draft: Draft<JobFact> = {
      ...noMarks,
      id: nextId() as FactId,
      stream: `job/${job}`,
      type: data.type,
      schemaVersion: 1,
      at: 0,
      cause: null,
      data
    }
    yield* log.append(draft.stream, "any", [redactDraft(draft)])
  }
})

/** The facts of a job. */
export const factsOf = Effect.fnUntraced(function* (job: string) {
  const log = yield* EventLog
  const facts = yield* Stream.runCollect(log.read({ stream: `job/${job}` }))
  return Chunk.toReadonlyArray(facts).map(({ data }) => data as JobFact)
})

export const typesOf = (job: string) =>
  Effect.map(factsOf(job), (facts) => facts.map(({ type }) => type.replace("JOB_", "")))

export interface Asked {
  readonly job: string
  readonly attempt: number
  readonly at: number
}

/** `does` says what an attempt comes to. What runs at the same time is counted, in all and for each key. */
export const scripted = (does: (work: Work) => Effect.Effect<Done, JobError> = () => Effect.succeed({})) => {
  const asked: Asked[] = []
  const succeeded: string[] = []
  const now = new Map<string, number>()
  const most = new Map<string, number>()
  const counting = (name: string, by: number) => {
    now.set(name, (now.get(name) ?? 0) + by)
    most.set(name, Math.max(most.get(name) ?? 0, now.get(name) ?? 0))
  }
  const run: Runner = (work) =>
    Effect.gen(function* () {
      asked.push({ job: work.job, attempt: work.attempt, at: yield* Clock.currentTimeMillis })
      const names = ["all", ...(work.enqueued.key === undefined ? [] : [work.enqueued.key])]
      for (const name of names) counting(name, 1)
      const done = yield* Effect.ensuring(
        does(work),
        Effect.sync(() => {
          for (const name of names) counting(name, -1)
        })
      )
      succeeded.push(work.job)
      return done
    })
  return { run, asked, succeeded, most }
}

export const boom = (message = "boom", final = false): JobError =>
  new JobError({ error: { name: "Error", message }, final })
