/** Lines worth a closer look: a pattern that is slow on a whole text is tried on those that hold what it needs. */

export interface Line {
  /** Its first character is the end of the line before. */
  readonly start: number
  readonly end: number
}

/** The lines that hold a match of `sign`, a global pattern that crosses no line end; each once. */
export function* linesWith(text: string, sign: RegExp): Generator<Line> {
  sign.lastIndex = 0
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    const start = Math.max(0, text.lastIndexOf("\n", found.index))
    const next = text.indexOf("\n", found.index)
    const end = next === -1 ? text.length : next
    yield { start, end }
    // Whoever asked may have used the pattern on the way.
    sign.lastIndex = end
  }
}
