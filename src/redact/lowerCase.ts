/** A text in lower case, for patterns that would take twice as long in either case. */

let last = ""
let lower: string | undefined = ""

/**
 * The text in lower case, with each letter in its place; undefined where one is two letters in lower case. The same text is asked for
 * several times in a row, and of one with letters beyond Latin this costs as much as a pattern.
 */
export const lowerCaseOf = (text: string): string | undefined => {
  if (text !== last) {
    const made = text.toLowerCase()
    last = text
    lower = made.length === text.length ? made : undefined
  }
  return lower
}
