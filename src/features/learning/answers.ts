/** What the log has of a session's answers: those that were given, and the one that a prompt came after. Pure. */
import type { Dispatched } from "../../../events/agentEvents.ts"

/** As much of a fact as is needed, wherever it was read. */
export interface SeenFact {
  readonly type: string
  readonly stream: string
  readonly data: unknown
}

export interface Answer {
  /** The invocation that told of it. */
  readonly from: string
  readonly text: string
}

const invocationOf = (stream: string): string => stream.replace(/^invocation\//, "")

const eventsOf = (data: unknown): readonly Dispatched[] => {
  const { events } = (data ?? {}) as { readonly events?: unknown }
  return Array.isArray(events) ? (events as readonly Dispatched[]) : []
}

/** In the order of the facts. */
export const answersIn = (facts: Iterable<SeenFact>): readonly Answer[] =>
  [...facts].flatMap(({ data, stream, type }) => {
    if (type !== "PAYLOAD_BUFFERED") return []
    const text = eventsOf(data).find(({ event }) => event === "response.given")?.data["text"]
    return typeof text === "string" ? [{ from: invocationOf(stream), text }] : []
  })

/** The last answer before an invocation. `facts` in the order of the log. */
export const answerBefore = (facts: readonly SeenFact[], invocation: string): Answer | undefined => {
  const at = facts.findIndex(({ stream }) => invocationOf(stream) === invocation)
  return answersIn(at < 0 ? [] : facts.slice(0, at)).at(-1)
}
