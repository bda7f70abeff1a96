/** Fits pieces of text into a budget of tokens, best first. Pure. */

/** What a model reads as one token is about so many characters; of other scripts fewer, so that the guess is on the safe side. */
const perToken = 4

export const tokensOf = (text: string): number => {
  let weight = 0
  for (const char of text) weight += (char.codePointAt(0) ?? 0) < 0x250 ? 1 : 3
  return Math.ceil(weight / perToken)
}

/** The text, or its beginning: whole lines where there are some, at most so many tokens. */
export const clippedTo = (text: string, tokens: number): string => {
  if (tokensOf(text) <= tokens) return text
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (tokensOf(text.slice(0, middle)) < tokens) low = middle
    else high = middle - 1
  }
  const head = text.slice(0, low).replace(/[\ud800-\udbff]$/, "")
  const end = head.lastIndexOf("\n")
  const kept = end > head.length / 2 ? head.slice(0, end) : head
  return kept.trim() === "" ? "" : `${kept.trimEnd()}…`
}

/** Each piece whole, in order, as long as there is room; what does not fit is left out, and the next may fit. */
export const fitting = <A>(
  pieces: readonly A[],
  tokens: number,
  textOf: (piece: A) => string
): readonly A[] => {
  let left = tokens
  return pieces.filter((piece) => {
    const cost = tokensOf(textOf(piece)) + 1
    if (cost > left) return false
    left -= cost
    return true
  })
}

/** A setting that is to be a number in a range; anything else is the default. */
export const within = (value: unknown, least: number, most: number, usual: number): number =>
  typeof value === "number" && value >= least && value <= most ? value : usual
