/** Runs background hooks: finds the invocation that a job came from, and keeps what its handler wanted with the job. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Backgrounded, ChannelTaken, InvocationFact } from "../../events/facts.ts"
import type { JobId } from "../../events/ids.ts"
import {
  type Intent,
  type Json,
  type JsonObject,
  type ModelContext,
  modelContext,
  type UserHint,
  userHint
} from "../../events/intents.ts"
import { noMarks, type Recorded } from "../../events/Recorded.ts"
import { type InvocationContext, invocation as machine } from "../../machines/invocation.ts"
import { replay } from "../../machines/step.ts"
import type { Waiting } from "../history/deliveries.ts"
import type { Delivering } from "../hooks/delivery.ts"
import { EventLog, type EventLogError } from "../log/EventLog.ts"
import { isLost } from "../log/lost.ts"
import { cut } from "../redact/cut.ts"
import { redact } from "../redact/redact.ts"
import { noteJob } from "../runtime/enqueue.ts"
import { messageOf } from "../state/messageOf.ts"
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

/** The channel of what waits for another reply. */
const nextEvent = "the session's next event"

/** What can be said at another event of the same session: a decision would come too late, but not what it was made of. */
const wordOf = (intent: Intent): UserHint | ModelContext | undefined => {
  if (intent.type === "USER_HINT") return userHint(cut(intent.text, longestSaid))
  const text =
    intent.type === "BLOCKING_FEEDBACK"
      ? intent.reason
      : intent.type === "MODEL_CONTEXT"
        ? intent.text
        : undefined
  return text === undefined || text.trim() === "" ? undefined : modelContext(cut(text, longestSaid))
}

/** For each intent what is said of it, as far as one reply has room for what a job says. */
const wordsOf = (intents: readonly Intent[]): readonly (Intent | undefined)[] => {
  let left = mostSaid
  return intents.map((intent) => {
    const word = wordOf(intent)
    left -= word?.text?.length ?? 0
    return left < 0 ? undefined : word
  })
}

/** Where the intents of a handler went that ran after the reply. `next`: whether they wait for the session's next event. */
export const channelsOf = (
  handler: string,
  intents: readonly Intent[],
  next: boolean | "no session" = false
): readonly ChannelTaken[] => {
  const words = wordsOf(intents)
  return intents.map((one, at) => {
    const { type: intent } = one
    if (intent === "DIAGNOSTIC") return { intent, handler, channel: "log" }
    const reason =
      next === false
        ? "the reply was out when this hook ran"
        : next === "no session"
          ? "the agent names no session whose next event could take it along"
          : words[at] !== undefined
            ? undefined
            : wordOf(one) === undefined
              ? "the next event can take along what is said, and decides for itself"
              : `a job says at most ${mostSaid} characters at the next event`
    return reason === undefined
      ? { intent, handler, channel: nextEvent }
      : { intent, handler, channel: "undeliverable", reason }
  })
}

/** Characters of one text: a model that is told more at once has stopped to read. */
const longestSaid = 4000
/** Of all that one job says. */
const mostSaid = 8000

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
    const facts = [...(yield* Stream.runCollect(log.read({ invocation })))]
    const last = facts.at(-1)
    if (last === undefined || facts.some(({ type }) => type === "EXITED")) return facts
    if (isLost(facts, yield* Clock.currentTimeMillis)) return facts
    const more = Stream.runHead(log.follow(last.position, { invocation }))
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
      const enqueued = redact({ ...draft, cause: null })
      yield* Effect.asVoid(log.append(enqueued.stream, "any", [enqueued]))
    }
})

/** Puts by what is to be said at the session's next event. Says whose word it takes the place of. */
export type PutBy = (waiting: Waiting, how: Pick<Delivering, "keep">) => readonly string[]

/** Nobody hears of what runs here. */
const nobody: PutBy = () => []

/** What a job said, and where it went. */
const passedOn = Effect.fnUntraced(function* (
  { buffered: { session }, job, opened, planned }: BackgroundWork,
  intents: readonly Intent[],
  putBy: PutBy
) {
  const { deliver, event, handler } = planned
  if (deliver === undefined) return { intents, channels: channelsOf(handler, intents) }
  if (session === null) return { intents, channels: channelsOf(handler, intents, "no session") }
  const channels = channelsOf(handler, intents, true)
  const words = wordsOf(intents).flatMap((word) => word ?? [])
  if (words.length === 0) return { intents, channels }
  const at = yield* Clock.currentTimeMillis
  const { invocation } = opened
  const waiting = {
    session,
    invocation,
    job,
    handler,
    event,
    at,
    until: at + deliver.withinMs,
    intents: redact({ words }).words
  }
  const replaced = yield* Effect.try({
    try: () => putBy(waiting, deliver),
    catch: (cause) => failed("NotPutBy", `cannot be kept for the next event: ${messageOf(cause)}`, false)
  })
  return { intents, channels, ...(replaced.length === 0 ? {} : { replaced }) }
})

/** The runner of jobs of the kind `hook`, by whoever can run a handler. */
export const makeHookRunner = (
  run: RunBackground,
  putBy: PutBy = nobody
): Effect.Effect<Runner, never, EventLog> =>
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
        const result = yield* passedOn(background, intents, putBy)
        const done: Done = {
          result: result as unknown as Json,
          ...observed
        }
        return done
      })
  )
