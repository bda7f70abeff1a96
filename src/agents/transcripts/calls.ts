/** Joins each call of a transcript with its result, whichever comes first, within bounds. */
import type { Json } from "../../../events/intents.ts"
import type { CallEnd, CallObserved } from "../../../events/observedFacts.ts"
import { clipJson, longestInput } from "./clipped.ts"
import type { Listener } from "./Transcript.ts"

export interface Begun {
  readonly call: string
  readonly name: string
  readonly input: Json
  readonly at: number
  readonly session: string
  readonly identity: string
  /** Where its row begins. */
  readonly offset: number
  readonly place: Omit<CallObserved, "type" | "call" | "name" | "input" | "told" | "source">
}

export interface Ended {
  readonly at: number
  readonly told: CallEnd
  readonly exitCode?: number | undefined
  readonly deniedBy?: string | undefined
  readonly response?: Json | undefined
}

/** Made when both are known: what an answer means hangs on what was asked. */
type End = (begun: Begun) => Ended

/** So many may be under way, or have their result before them. */
const maxPending = 1000

export interface Calls {
  readonly begin: (begun: Begun) => void
  readonly end: (call: string, end: End) => void
  /** It is told of as another. */
  readonly drop: (call: string) => void
  readonly pending: (call: string) => Begun | undefined
  /** Where the first that is not over begins. */
  readonly earliest: () => number | undefined
  /** None of them will end. */
  readonly abandon: () => void
}

const observedCall = ({ call, input, name, place }: Begun, end: Ended | undefined): CallObserved => {
  const asked = clipJson(input, longestInput)
  const answered = end?.response === undefined ? undefined : clipJson(end.response)
  const omitted = asked.omitted + (answered?.omitted ?? 0)
  return {
    type: "TOOL_CALL_OBSERVED",
    source: "transcript",
    ...place,
    call,
    name,
    input: asked.value,
    ...(answered === undefined ? {} : { response: answered.value }),
    told: end?.told ?? "untold",
    ...(end?.deniedBy === undefined ? {} : { deniedBy: end.deniedBy }),
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    ...(end === undefined ? {} : { ended: end.at }),
    ...(omitted === 0 ? {} : { omitted })
  }
}

export const makeCalls = ({ seen }: Pick<Listener, "seen">): Calls => {
  const open = new Map<string, Begun>()
  const early = new Map<string, End>()
  const tell = (begun: Begun, end: Ended | undefined): void => {
    const { at, identity, session } = begun
    // What ended after all is another fact than that no end was found.
    seen({
      fact: observedCall(begun, end),
      at,
      session,
      identity: end === undefined ? `${identity}/unended` : identity
    })
  }
  const oldest = <A>(map: Map<string, A>): readonly [string, A] | undefined =>
    map.size > maxPending ? (map.entries().next().value as readonly [string, A]) : undefined
  return {
    begin: (begun) => {
      const end = early.get(begun.call)
      if (end !== undefined) {
        early.delete(begun.call)
        tell(begun, end(begun))
        return
      }
      // A copy of a call that is under way is that call.
      if (open.has(begun.call)) return
      open.set(begun.call, begun)
      const first = oldest(open)
      if (first === undefined) return
      open.delete(first[0])
      tell(first[1], undefined)
    },
    end: (call, end) => {
      const begun = open.get(call)
      if (begun === undefined) {
        early.set(call, end)
        const first = oldest(early)
        if (first !== undefined) early.delete(first[0])
        return
      }
      open.delete(call)
      tell(begun, end(begun))
    },
    drop: (call) => {
      open.delete(call)
    },
    pending: (call) => open.get(call),
    earliest: () => {
      const [first] = open.values()
      return first?.offset
    },
    abandon: () => {
      for (const begun of open.values()) tell(begun, undefined)
      open.clear()
    }
  }
}
