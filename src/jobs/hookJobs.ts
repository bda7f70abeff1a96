/** Runs background hooks: finds the invocation that a job came from, and keeps what its handler wanted with the job. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Backgrounded, InvocationFact } from "../../events/facts.ts"
import type { JobId } from "../../events/ids.ts"
import type { Intent, Json, JsonObject } from "../../events/intents.ts"
import { invocationStream } from "../../events/invocationOf.ts"
import { noMarks, type Recorded } from "../../events/Recorded.ts"
import { type InvocationContext, invocation as machine } from "../../machines/invocation.ts"
import { replay } from "../../machines/step.ts"
import { EventLog, type EventLogError } from "../log/EventLog.ts"
import { isLost } from "../log/lost.ts"
import { redactDraft } from "../redact/redact.ts"
import { noteJob } from "../runtime/enqueue.ts"
import { type PutBy, passedOn } from "./passedOn.ts"
import { type Done, JobError, type Observed, type Runner, type Work } from "./Runner.ts"

type FactOf<T extends InvocationFact["type"]> = Extract<InvocationFact, { type: T }>

/** One attempt at a background hook, with all that its context is made of. */
export interface BackgroundWork {
  readonly job: JobId
  readonly attempt: number
  readonly opened: FactOf<"INVOCATION_OPENED">
  readonly buffered: FactOf<"PAYLOAD_BUFFERED">
  /** When the invocation was opened, milliseconds since 1970. */
  readonly openedAt: number
  readonly planned: Backgrounded
  /** All of its invocation, `planned` among them: a handler may be there once for each of several events. */
  readonly background: readonly Backgrounded[]
  /** Patched by the handlers that ran before the reply. */
  readonly metadata: JsonObject
  readonly signal: AbortSignal
}

export interface BackgroundOutcome extends Observed {
  readonly intents: readonly Intent[]
}

export type RunBackground = (work: BackgroundWork) => Effect.Effect<BackgroundOutcome, JobError>

const failed = (name: string, message: string, final: boolean): JobError =>
  new JobError({ error: { name, message }, final })

/** How often to look whether an invocation that has not ended is still there. */
const lookMs = 1000

/** The facts of an invocation whose reply is out, or that never came to it. */
const settled = (
  log: EventLog["Type"],
  invocation: string
): Effect.Effect<readonly Recorded[], EventLogError> =>
  Effect.gen(function* () {
    const stream = invocationStream(invocation)
    const facts = [...(yield* Stream.runCollect(log.read({ stream })))]
    const last = facts.at(-1)
    if (last === undefined || facts.some(({ type }) => type === "EXITED")) return facts
    if (isLost(facts, yield* Clock.currentTimeMillis)) return facts
    const more = Stream.runHead(log.follow(last.position, { stream }))
    yield* Effect.timeoutOption(more, lookMs)
    return yield* settled(log, invocation)
  })

const factsOf = (recorded: readonly Recorded[]): readonly InvocationFact[] =>
  recorded.filter(({ known }) => known).map(({ data }) => data as InvocationFact)

const find = <T extends InvocationFact["type"]>(
  facts: readonly InvocationFact[],
  type: T
): FactOf<T> | undefined => facts.find((fact): fact is FactOf<T> => fact.type === type)

const workOf = ({ attempt, enqueued, job, signal }: Work, recorded: readonly Recorded[]) => {
  const facts = factsOf(recorded)
  const opened = find(facts, "INVOCATION_OPENED")
  const buffered = find(facts, "PAYLOAD_BUFFERED")
  const { background = [] } = find(facts, "HANDLERS_PLANNED") ?? {}
  const planned = background.find((one) => one.job === job)
  if (!opened || !buffered || !planned)
    // It may be on its way to the log.
    return failed("NoInvocation", `the invocation ${enqueued.invocation} is not on the log`, false)
  const { metadata } = replay(machine, facts).context as InvocationContext
  const work: BackgroundWork = {
    job,
    attempt,
    opened,
    buffered,
    openedAt: recorded[0]?.at ?? 0,
    planned,
    background,
    metadata,
    signal
  }
  return work
}

/** Notes that the handler wants stored; an attempt that is made again wants them anew, and each once. */
const remember = Effect.fnUntraced(function* (
  log: EventLog["Type"],
  { buffered, job, opened, openedAt }: BackgroundWork,
  { called = [] }: Observed
) {
  const marks = {
    ...noMarks,
    agent: opened.agent,
    agentEvent: opened.agentEvent,
    session: buffered.session,
    project: opened.project
  }
  const about = { id: job, at: openedAt, marks, invocation: opened.invocation }
  for (const one of called)
    for (const draft of noteJob(one, about)) {
      const enqueued = redactDraft({ ...draft, cause: null })
      yield* Effect.asVoid(log.append(enqueued.stream, "any", [enqueued]))
    }
})

/** The runner of jobs of the kind `hook`, by whoever can run a handler. */
export const makeHookRunner = (run: RunBackground, putBy: PutBy): Effect.Effect<Runner, never, EventLog> =>
  Effect.map(
    EventLog,
    (log): Runner =>
      Effect.fn("jobs.hook")(function* (work: Work) {
        const { invocation } = work.enqueued
        if (invocation === undefined)
          return yield* failed("NoInvocation", "the job names no invocation", true)
        const recorded = yield* Effect.mapError(settled(log, invocation), ({ message }) =>
          failed("EventLogError", message, false)
        )
        const background = workOf(work, recorded)
        if (background instanceof JobError) return yield* background
        const { intents, ...observed } = yield* run(background)
        yield* Effect.mapError(remember(log, background, observed), ({ message }) =>
          failed("EventLogError", message, false)
        )
        const { buffered, job, opened, planned } = background
        const result = yield* passedOn(
          { ...planned, ...opened, session: buffered.session, job },
          intents,
          putBy
        )
        const done: Done = {
          result: result as unknown as Json,
          ...observed
        }
        return done
      })
  )
