/** One attempt at a job, within its deadline and whatever its runner does: what comes of it is a fact. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { JobFact } from "../../events/facts.ts"
import type { JobId } from "../../events/ids.ts"
import type { Json } from "../../events/intents.ts"
import type { JobCommand } from "../../machines/job.ts"
import { asError, errorOf } from "../runtime/errors.ts"
import { type BackOff, delayAfter } from "./backOff.ts"
import { type Done, JobError, type Runner } from "./Runner.ts"

type Run = Extract<JobCommand, { type: "RUN" }>
type Outcome = Extract<JobFact, { type: "JOB_SUCCEEDED" | "JOB_FAILED" }>

/** How long a runner may take to end once it was told to. */
export const endingMs = 5000

const failure = (name: string, message: string): JobError => new JobError({ error: { name, message } })

/** As it will stand on the log, or the reason why it cannot. */
const recordable = ({ called, noise, result }: Done): Effect.Effect<Done, JobError> =>
  Effect.try({
    try: (): Done => ({
      ...(result === undefined ? {} : { result: JSON.parse(JSON.stringify(result)) as Json }),
      ...(noise === undefined ? {} : { noise }),
      ...(called === undefined ? {} : { called })
    }),
    catch: (cause) => failure("NotJson", `its result is no JSON: ${asError(cause).message}`)
  })

const reason = (cause: Cause.Cause<JobError>): JobError => {
  const [failed] = Cause.failures(cause)
  if (failed !== undefined) return failed
  if (Cause.isInterruptedOnly(cause)) return failure("Interrupted", "was interrupted")
  return new JobError({ error: errorOf(asError(Cause.squash(cause))) })
}

/** Runs apart, so that a runner which does not end cannot hold whoever waits for it. */
const within = Effect.fn("attempt.within")(function* (run: Runner, { attempt, enqueued }: Run) {
  const controller = new AbortController()
  const work = { job: enqueued.job as JobId, attempt, enqueued, signal: controller.signal }
  const fiber = yield* Effect.forkDaemon(Effect.suspend(() => Effect.flatMap(run(work), recordable)))
  const end = (why: string) =>
    Effect.zipRight(
      Effect.sync(() => controller.abort(new Error(why))),
      Effect.timeoutOption(Fiber.interrupt(fiber), endingMs)
    )
  const deadlineMs = Math.max(1, enqueued.deadlineMs)
  const exit = yield* Effect.timeoutOption(Fiber.await(fiber), deadlineMs).pipe(
    Effect.onInterrupt(() => end("the queue stops"))
  )
  if (Option.isSome(exit)) return yield* exit.value
  yield* end(`deadline of ${deadlineMs} ms has passed`)
  return yield* failure("TimedOut", `did not finish within ${deadlineMs} ms`)
})

/** Never fails. Interrupted, it has ended the work as far as that goes. */
export const perform = Effect.fn("attempt.perform")(function* (run: Runner, command: Run, backOff: BackOff) {
  const { attempt, failures, last } = command
  const began = yield* Clock.currentTimeNanos
  const exit = yield* Effect.exit(within(run, command))
  const ms = Number((yield* Clock.currentTimeNanos) - began) / 1e6
  const now = yield* Clock.currentTimeMillis
  if (Exit.isSuccess(exit)) return { type: "JOB_SUCCEEDED", attempt, ...exit.value, ms } satisfies Outcome
  const { called, error, final = false, noise } = reason(exit.cause)
  return {
    type: "JOB_FAILED",
    attempt,
    error,
    ...(last || final ? {} : { retryAt: now + (yield* delayAfter(failures + 1, backOff)) }),
    ...(noise === undefined ? {} : { noise }),
    ...(called === undefined ? {} : { called }),
    ms
  } satisfies Outcome
})
