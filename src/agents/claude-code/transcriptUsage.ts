/** Tokens of a message, which every one of its rows repeats, the first at times with only a part of the output. */
import type { JsonObject } from "../../../events/intents.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { present } from "../decode.ts"
import { numberAt, objectAt, textAt } from "../transcripts/rows.ts"
import type { Listener } from "../transcripts/Transcript.ts"

type Usage = Extract<ObservedFact, { readonly type: "USAGE_OBSERVED" }>

interface Told {
  readonly message: JsonObject
  readonly id: string
  readonly at: number
  readonly session: string
  /** Where its row begins. */
  readonly offset: number
  readonly place: Omit<Usage, "type" | "source" | "model" | "input" | "output">
}

interface Open {
  readonly at: number
  readonly offset: number
  readonly session: string
  readonly fact: Usage
}

/** Rows of one message may have others between them, but not many. */
const maxOpen = 16

const most = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b)

export const makeUsage = ({ seen }: Pick<Listener, "seen">) => {
  const open = new Map<string, Open>()
  const tell = (id: string, { at, fact, session }: Open): void =>
    seen({ fact, at, session, identity: `usage/${id}` })

  const take = ({ at, id, message, offset, place, session }: Told): void => {
    const usage = objectAt(message, "usage")
    const model = textAt(message, "model")
    if (usage === undefined || model === undefined || model === "<synthetic>") return
    const before = open.get(id)
    const input = most(before?.fact.input, numberAt(usage, "input_tokens")) ?? 0
    const output = most(before?.fact.output, numberAt(usage, "output_tokens")) ?? 0
    const cacheRead = most(before?.fact.cacheRead, numberAt(usage, "cache_read_input_tokens"))
    const cacheWrite = most(before?.fact.cacheWrite, numberAt(usage, "cache_creation_input_tokens"))
    // A fork repeats messages with nothing used.
    if (input + output + (cacheRead ?? 0) + (cacheWrite ?? 0) === 0) return
    open.set(id, {
      at: before?.at ?? at,
      offset: before?.offset ?? offset,
      session: before?.session ?? session,
      fact: {
        type: "USAGE_OBSERVED",
        source: "transcript",
        ...(before === undefined ? place : (({ type: _, source: __, ...rest }) => rest)(before.fact)),
        model,
        input,
        output,
        ...present("cacheRead", cacheRead),
        ...present("cacheWrite", cacheWrite)
      }
    })
    if (open.size <= maxOpen) return
    const [oldest] = open as Iterable<[string, Open]> as unknown as [[string, Open]]
    open.delete(oldest[0])
    tell(...oldest)
  }

  return {
    take,
    /** The last message may have more rows to come, with all of its output: it is told when nobody writes any more. */
    end: (isOver: boolean): void => {
      const [last] = [...open.keys()].slice(-1)
      for (const [id, one] of open) if (isOver || id !== last) tell(id, one)
      for (const id of [...open.keys()]) if (isOver || id !== last) open.delete(id)
    },
    /** Where the first that was not told begins. */
    earliest: (): number | undefined => {
      const [first] = open.values()
      return first?.offset
    }
  }
}
