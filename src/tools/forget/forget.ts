/** Takes a session, an invocation or a text out of the log, and says on the log that it did. */
import { randomBytes } from "node:crypto"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type FactId, newFactId } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { EventLog } from "../../log/EventLog.ts"
import { type RedactedDraft, redactDraft } from "../../redact/redact.ts"
import { plainPart, withoutText, writingsOf } from "../../redact/withoutText.ts"
import { jobStream } from "../../runtime/enqueue.ts"

/** What is to be forgotten. */
export type Target =
  | { readonly kind: "session"; readonly session: string }
  | { readonly kind: "invocation"; readonly invocation: string }
  | { readonly kind: "text"; readonly text: string }

/** Facts of one stream that are concerned: the first of them, and how many. */
export interface Affected {
  readonly stream: string
  readonly fact: FactId
  readonly facts: number
}

/** The installation's own history stays: who trusted what, which hooks were switched. */
const isOwn = (stream: string): boolean => /^(?:operator|breaker|host)\//.test(stream)

const jobsOf = ({ data, known, type }: Recorded): readonly string[] =>
  known && type === "HANDLERS_PLANNED"
    ? ((data as { background?: readonly { job: string }[] }).background ?? []).map(({ job }) =>
        jobStream(job)
      )
    : []

const grouped = (facts: Iterable<Pick<Recorded, "id" | "stream">>): readonly Affected[] => {
  const streams = new Map<string, Affected>()
  for (const { id, stream } of facts) {
    const { fact = id, facts = 0 } = streams.get(stream) ?? {}
    streams.set(stream, { stream, fact, facts: facts + 1 })
  }
  return [...streams.values()]
}

const wholeStreams = Effect.fnUntraced(function* (streams: Iterable<string>) {
  const log = yield* EventLog
  const found = yield* Effect.forEach(new Set(streams), (stream) => Stream.runCollect(log.read({ stream })))
  return found.flatMap((facts) => [...facts])
})

/** Every stream that a session left: its invocations, their jobs, notes and checkpoints that name it. */
const ofSession = Effect.fnUntraced(function* (session: string) {
  const log = yield* EventLog
  const marked = Chunk.toReadonlyArray(yield* Stream.runCollect(log.read({ session })))
  const streams = marked.map(({ stream }) => stream).filter((stream) => !isOwn(stream))
  const whole = yield* wholeStreams(streams)
  return [...whole, ...(yield* wholeStreams(whole.flatMap(jobsOf).filter((job) => !streams.includes(job))))]
})

const ofInvocation = Effect.fnUntraced(function* (invocation: string) {
  const log = yield* EventLog
  return [...(yield* Stream.runCollect(log.read({ invocation })))]
})

/** Every fact in which a text stands. */
const holding = Effect.fnUntraced(function* (text: string) {
  const log = yield* EventLog
  const writings = writingsOf(text)
  const plain = plainPart(text)
  const holds = ({ data }: Recorded): boolean => {
    const whole = JSON.stringify(data)
    // An empty text is in every text: then all are looked at.
    return whole.includes(plain) && JSON.stringify(withoutText(data, writings)) !== whole
  }
  const found = Stream.filter(log.read({}), holds)
  return [...(yield* Stream.runCollect(Stream.map(found, ({ id, stream }) => ({ id, stream }))))]
})

const held = (target: Target) => {
  switch (target.kind) {
    case "session":
      return ofSession(target.session)
    case "invocation":
      return ofInvocation(target.invocation)
    case "text":
      return holding(target.text)
  }
}

/** What of the log would go, for whoever wants to know first. */
export const affectedBy = Effect.fn("forget.affectedBy")(function* (target: Target) {
  return grouped(yield* held(target))
})

const sayings = (
  source: string,
  at: number,
  extent: "text" | "whole",
  affected: readonly Affected[]
): readonly RedactedDraft[] =>
  affected.map(({ fact, facts, stream }) =>
    redactDraft(
      makeDraft(
        { type: "FACT_REDACTED", fact, facts, stream, extent, reason: "forgotten by its user" },
        { id: newFactId(at, randomBytes), stream: `operator/${source}`, at }
      )
    )
  )

/** Which facts were changed or taken away. The log says so of each stream; of what it said it says nothing. */
export const forget = Effect.fn("forget")(function* (source: string, target: Target) {
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const affected =
    target.kind === "text" ? grouped(yield* log.redact(target.text)) : yield* affectedBy(target)
  if (target.kind !== "text") yield* log.forget(affected.map(({ stream }) => stream))
  const [first, ...rest] = sayings(source, now, target.kind === "text" ? "text" : "whole", affected)
  if (first !== undefined) yield* log.append(`operator/${source}`, "any", [first, ...rest])
  return affected
})
