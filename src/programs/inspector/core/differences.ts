/** How a call would decide that is run again. Pure. */
import type { Comparison } from "../../../features/inspector/contract/acts.ts"

export const changeWords: Readonly<Record<Comparison["change"], string>> = {
  same: "the same",
  looser: "looser",
  stricter: "stricter",
  other: "same decision",
  "not-replayable": "cannot be run again"
}

export const differenceSentence = (
  { change, says }: Pick<Comparison, "change" | "says">,
  how: string
): string => {
  if (change === "same") return `With ${how} nothing would be different.`
  if (change === "not-replayable") return `It cannot be run again: ${says}.`
  return `With ${how} it would ${change === "other" ? "decide the same" : `be ${changeWords[change]}`}: ${says}.`
}
