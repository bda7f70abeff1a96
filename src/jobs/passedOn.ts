/** Where what a background hook says goes, whose reply is out: to the log, to the session's next event, or nowhere, and why. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Backgrounded, ChannelTaken } from "../../events/facts.ts"
import {
  type Intent,
  type ModelContext,
  modelContext,
  type UserHint,
  userHint
} from "../../events/intents.ts"
import type { Waiting } from "../history/deliveries.ts"
import type { Delivering } from "../hooks/delivery.ts"
import { cut } from "../redact/cut.ts"
import { redact } from "../redact/redact.ts"
import { messageOf } from "../state/messageOf.ts"
import { JobError } from "./Runner.ts"

/** Puts by what is to be said at the session's next event. Says whose word it takes the place of. */
export type PutBy = (waiting: Waiting, how: Pick<Delivering, "keep">) => readonly string[]

/** The channel of what waits for another reply. */
const nextEvent = "the session's next event"

/** Characters of one text, and of all that one job says: a model that is told more at once has stopped to read. */
const longestSaid = 4000
const mostSaid = 8000

type Word = UserHint | ModelContext

/** What can be said at another event of the same session: a decision would come too late, but not what it was made of. */
const wordOf = (intent: Intent): Word | undefined => {
  if (intent.type === "USER_HINT") return userHint(cut(intent.text, longestSaid))
  const isBlock = intent.type === "BLOCKING_FEEDBACK"
  const text = isBlock ? intent.reason : intent.type === "MODEL_CONTEXT" ? intent.text : undefined
  return text === undefined || text.trim() === "" ? undefined : modelContext(cut(text, longestSaid))
}

/** For each intent what is said of it, as far as one reply has room for what a job says. */
const wordsOf = (intents: readonly Intent[]): readonly (Word | undefined)[] => {
  let left = mostSaid
  return intents.map((intent) => {
    const word = wordOf(intent)
    left -= word?.text?.length ?? 0
    return left < 0 ? undefined : word
  })
}

/** Of a hook that asks for the next event. */
const unsaid = (intent: Intent): string =>
  wordOf(intent) === undefined
    ? "the next event can take along what is said, and decides for itself"
    : `a job says at most ${mostSaid} characters at the next event`

const nowhere = (intents: readonly Intent[], handler: string, reason: string): readonly ChannelTaken[] =>
  intents.map(({ type: intent }) =>
    intent === "DIAGNOSTIC"
      ? { intent, handler, channel: "log" }
      : { intent, handler, channel: "undeliverable", reason }
  )

/** The job that speaks: what its plan says of it, and where it came from. */
export interface Speaking extends Pick<Backgrounded, "handler" | "event" | "deliver"> {
  readonly invocation: string
  readonly session: string | null
  readonly job: string
}

export const passedOn = Effect.fn("jobs.passedOn")(function* (
  { deliver, event, handler, invocation, job, session }: Speaking,
  intents: readonly Intent[],
  putBy: PutBy
) {
  if (deliver === undefined)
    return { intents, channels: nowhere(intents, handler, "the reply was out when this hook ran") }
  if (session === null) {
    const reason = "the agent names no session whose next event could take it along"
    return { intents, channels: nowhere(intents, handler, reason) }
  }
  const said = wordsOf(intents)
  const channels = intents.flatMap((intent, at): readonly ChannelTaken[] =>
    said[at] === undefined
      ? nowhere([intent], handler, unsaid(intent))
      : [{ intent: intent.type, handler, channel: nextEvent }]
  )
  const words = said.flatMap((word) => word ?? [])
  if (words.length === 0) return { intents, channels }
  const at = yield* Clock.currentTimeMillis
  const until = at + deliver.withinMs
  const waiting = { session, invocation, job, handler, event, at, until, intents: redact({ words }).words }
  const replaced = yield* Effect.try({
    try: () => putBy(waiting, deliver),
    catch: (cause) =>
      new JobError({
        error: { name: "NotPutBy", message: `cannot be kept for the next event: ${messageOf(cause)}` }
      })
  })
  return { intents, channels, ...(replaced.length === 0 ? {} : { replaced }) }
})
