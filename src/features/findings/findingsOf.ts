/** The findings that a fact was shipped with. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Findings } from "../../../events/findings.ts"
import type { PlacedFact } from "../../log/KeyedFold.ts"

const decode = Schema.decodeUnknownOption(Schema.Struct({ findings: Findings }))

/** A fold asks several times of one fact, and reading them costs more than the fold. */
const known = new WeakMap<object, Findings | undefined>()

/** Whether there may be some of a kind, without reading them: of most calls there is nothing for most folds. */
export const mayTell = ({ data }: PlacedFact, what: "moments" | "signs"): boolean => {
  const found = (data as { readonly findings?: unknown } | null)?.findings
  return typeof found === "object" && found !== null && what in found
}

/** Undefined where there are none, or none that can be read. */
export const findingsOf = ({ data }: PlacedFact): Findings | undefined => {
  if (typeof data !== "object" || data === null || !("findings" in data)) return undefined
  if (known.has(data)) return known.get(data)
  const found = Option.getOrUndefined(decode(data))?.findings
  known.set(data, found)
  return found
}
