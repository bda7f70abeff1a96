/** Which invocation answered a call: where a host did not get its answer across, another one stands for the call. */
import type { Recorded } from "../../events/Recorded.ts"

type Opening = Pick<Recorded, "type" | "known" | "stream" | "position" | "data">

interface Opened {
  readonly call?: string
  readonly transport?: string
}

/** Its client's id of the call that an invocation was opened for. */
export const callOf = ({ data, known, type }: Opening): string | undefined =>
  known && type === "INVOCATION_OPENED" ? (data as Opened).call : undefined

const isEntry = ({ data }: Opening): boolean => (data as Opened).transport === "entry"

/**
 * A client that has its host's answer asks nobody else, and from the entrypoint there is no way back: so the entrypoint's
 * invocation answered, whatever became of the host's. Between two of hosts, of a call that was left for them, it is the later one:
 * the first was not done when the second took it up.
 */
export const standsFor = <A extends Opening>(one: A, other: A): A => {
  if (isEntry(one) !== isEntry(other)) return isEntry(one) ? one : other
  return one.position > other.position ? one : other
}

/** The streams of invocations that another one took the place of, each with the stream of that one. */
export const replacedBy = (facts: Iterable<Opening>): ReadonlyMap<string, string> => {
  const byCall = new Map<string, Opening[]>()
  for (const fact of facts) {
    const call = callOf(fact)
    if (call === undefined) continue
    const there = byCall.get(call)
    if (there === undefined) byCall.set(call, [fact])
    else there.push(fact)
  }
  const replaced = new Map<string, string>()
  for (const openings of byCall.values()) {
    const answered = openings.reduce(standsFor)
    for (const { stream } of openings) if (stream !== answered.stream) replaced.set(stream, answered.stream)
  }
  return replaced
}
