/** What the reader gives, as folds over the log take it. Its shape is today's; each member that counts is looked at here. */
import type { Recorded } from "../../events/Recorded.ts"
import type { ReadFact } from "../log/reader.ts"

const isWhole = ({ data, type }: ReadFact): boolean => {
  const { note, text } = data as { readonly note?: unknown; readonly text?: unknown }
  return typeof note === "string" && (type !== "NOTE_RECORDED" || typeof text === "string")
}

/** For facts about notes. */
export const asRecorded = (fact: ReadFact): Recorded => ({
  ...fact,
  position: fact.position ?? Number.MAX_SAFE_INTEGER,
  version: 0,
  source: "",
  recordedAt: fact.at,
  known: isWhole(fact)
})
