/** Facts as a whole, for a collector that their user decided to send payloads to: redacted once more, and within what a collector takes. */
import type { Recorded } from "../../../events/Recorded.ts"
import { redact } from "../../redact/redact.ts"
import { shippedTypes } from "./shape.ts"
import { isStorable } from "./storable.ts"

/** What is sent with payloads: besides what always is, what a call asked of the world, and what was printed. */
export const wholeTypes: readonly string[] = [...shippedTypes, "SERVICE_CALLED", "NOISE_CAPTURED"]

/** Characters of an event as JSON: a collector parks one that is longer. */
export const longestEvent = 65_536
/** Levels of brackets: a collector refuses a batch of more than 200. */
const deepest = 150

/** Levels at which a value nests; more than `most` are not counted. */
const depthOf = (value: unknown, most: number): number => {
  if (typeof value !== "object" || value === null || most === 0) return 0
  let depth = 0
  for (const inner of Object.values(value)) depth = Math.max(depth, depthOf(inner, most - 1))
  return depth + 1
}

/** What was found in it is sent beside it. Undefined where it is too large, too deep, or holds what no database keeps: less of it is sent then. */
export const wholeOf = ({ data }: Pick<Recorded, "data">): object | undefined => {
  if (typeof data !== "object" || data === null || depthOf(data, deepest) >= deepest) return undefined
  const { findings: _, ...own } = data as { readonly findings?: unknown }
  const clean = redact(own)
  const json = JSON.stringify(clean)
  return json.length <= longestEvent && isStorable(json) ? clean : undefined
}
