/** What became of the patterns of one answer or checkpoint, in numbers and in words. Pure. */

export interface Learned {
  readonly found: number
  readonly stored: number
  readonly confirmed: number
  readonly doubted: number
  /** Retracted once, refused by a hook, or with a secret in it. */
  readonly left: number
}

/** Or why nothing can be learned at all. */
export type Outcome = Learned | { readonly off: string }

export const nothingLearned: Learned = { found: 0, stored: 0, confirmed: 0, doubted: 0, left: 0 }

/** `2 patterns found: 1 new, 1 confirmed`. */
export const learnedText = ({ confirmed, doubted, found, left, stored }: Learned): string => {
  const parts = [
    [stored, "new"],
    [confirmed, "confirmed"],
    [doubted, "doubted"],
    [left, "left out"]
  ] as const
  const told = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]))
  const what = found === 0 ? "no patterns" : `${found} pattern${found === 1 ? "" : "s"}`
  return `${what} found${told.length === 0 ? "" : `: ${told.join(", ")}`}`
}
