/** Escapes of JSON and colour codes of terminals: their last letters stand right before a word and are none of its own. */

/** `\nCookie`, `\u000apw`, and of `\x1b[32mpw` what follows the bracket. */
const letters = /^(?:u[0-9a-fA-F]{4}|[nrtbf])(?=.)/
const colour = /^\d{0,3}m(?=.)/

/** How many of a word's first characters, which begins at `start`, belong to what stands before it. */
export const escapeBefore = (text: string, start: number, word: string): number => {
  const c = text.charCodeAt(start - 1)
  // A backslash; a bracket or a semicolon.
  if (c === 92) return letters.exec(word)?.[0].length ?? 0
  return c === 91 || c === 59 ? (colour.exec(word)?.[0].length ?? 0) : 0
}

const blanks = /(?<!\\)\\+(?:u00(?:0[0-9a-fA-F]|1[0-9a-fA-F]|20)|[nrtbf])/g

/** The text with a line end for each escape: words begin and end where they do for whoever reads it decoded. */
export const withoutEscapes = (text: string): string =>
  text.includes("\\") ? text.replace(blanks, "\n") : text
