/** Background hooks in the host: the handlers of jobs, in the same processes as all others. */
import * as Effect from "effect/Effect"
import * as Micro from "effect/Micro"
import { ownEvents } from "../../../events/agentEvents.ts"
import type { InvocationFact } from "../../../events/facts.ts"
import type { BackgroundOutcome, BackgroundWork, RunBackground } from "../../jobs/hookJobs.ts"
import { JobError } from "../../jobs/Runner.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import type { NotAnIntent } from "../../runtime/outcome.ts"
import { bundleOf, eventOf, isOurs } from "../../state/manifest.ts"
import { messageOf } from "../../state/messageOf.ts"
import type { Builds } from "./builds.ts"
import { completed } from "./leftEnvironment.ts"
import { makeRemoteHandling } from "./remoteHandling.ts"
import type { Workers } from "./workers.ts"

/** A job waits for a build longer than an agent would. */
const patienceMs = 30_000

const failure = (error: { readonly name: string; readonly message: string }): JobError =>
  new JobError({ error })

/** The name of the error of a handler that ran to its end and returned what is no intent: it would say so again. */
const notAnIntent = "NotAnIntent" satisfies NotAnIntent["name"]

type Noise = Extract<InvocationFact, { type: "NOISE_CAPTURED" }>

const outcomeOf = (facts: readonly InvocationFact[]): BackgroundOutcome | JobError => {
  const heard = facts.filter((fact): fact is Noise => fact.type === "NOISE_CAPTURED")
  const chunks = heard.map(({ stream, bytes, text }) => ({ stream, bytes, text }))
  const called = facts.filter((fact) => fact.type === "SERVICE_CALLED")
  const observed = {
    ...(chunks.length > 0 ? { noise: chunks } : {}),
    ...(called.length > 0 ? { called } : {})
  }
  for (const fact of facts) {
    if (fact.type === "HANDLER_SUCCEEDED") return { intents: fact.intents, ...observed }
    if (fact.type === "HANDLER_FAILED")
      return new JobError({ error: fact.error, final: fact.error.name === notAnIntent, ...observed })
    if (fact.type === "HANDLER_TIMED_OUT")
      return new JobError({
        error: { name: "TimedOut", message: `did not finish within ${fact.deadlineMs} ms` },
        ...observed
      })
  }
  return failure({ name: "NoOutcome", message: "the handler's process said nothing of it" })
}

/** Where hooks run after the reply. */
export interface Places {
  readonly workers: Workers
  /** For code of our own alone. */
  readonly atWork: Workers
}

const attempt = async (
  { atWork, workers }: Places,
  builds: Builds,
  work: BackgroundWork
): Promise<BackgroundOutcome> => {
  const { opened, buffered, planned, attempt, signal } = work
  const { agent, agentEvent, cwd, project } = opened
  const { found } = await builds.serving(cwd, patienceMs)
  if (!found) throw failure({ name: "NoBuild", message: `nothing is built for ${project}` })
  const began = monotonic()
  const elapsed = () => monotonic() - began
  const event = eventOf(found.manifest, agent, agentEvent)
  const handling = makeRemoteHandling({
    workers: isOurs(found.manifest, [event, ...ownEvents]) ? atWork : workers,
    build: found.manifest.dir,
    lease: {
      invocation: opened.invocation,
      bundle: bundleOf(found.manifest, event),
      agent,
      agentEvent,
      transport: "command",
      cwd,
      project,
      timestamp: new Date(work.openedAt).toISOString(),
      deadlineMs: planned.deadlineMs,
      began,
      environment: completed(opened.env, cwd, process.env),
      warnings: [],
      hints: []
    },
    elapsed,
    afterwards: () => undefined
  })
  signal.addEventListener("abort", handling.abandon)
  try {
    handling.resume(work.background)
    handling.take({ text: buffered.payload })
    const facts = await Micro.runPromise(
      handling.interpret({ type: "RUN_HANDLER", planned, attempt, metadata: work.metadata })
    )
    const outcome = outcomeOf(facts)
    if (outcome instanceof JobError) throw outcome
    return outcome
  } finally {
    signal.removeEventListener("abort", handling.abandon)
    handling.end()
  }
}

export const makeRunBackground =
  (places: Places, builds: Builds): RunBackground =>
  (work) =>
    Effect.tryPromise({
      try: () => attempt(places, builds, work),
      catch: (error) =>
        error instanceof JobError ? error : failure({ name: "Error", message: messageOf(error) })
    })
