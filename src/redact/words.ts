/** Where words end, in any writing. */

/** Of names, as programs have them: a letter, a digit or `_`. */
export const isLetter = (c: number): boolean =>
  (c > 96 && c < 123) || (c > 64 && c < 91) || (c > 47 && c < 58) || c === 95

/** Signs of other languages that part words: blanks, quotes, brackets, stops. */
const isSign = (c: number): boolean =>
  c < 0xc0 || (c > 0x2000 && c < 0x2070) || (c > 0x2fff && c < 0x3020) || c > 0xfeff

/** Names grown together are read no further, each of them. */
const longest = 80

/** Where the word ends that begins, or goes on, at `at`. */
export const wordEnd = (text: string, at: number): number => {
  let end = at
  for (const most = Math.min(text.length, at + longest); end < most; end++) {
    const c = text.charCodeAt(end)
    if (c < 128 ? !isLetter(c) : isSign(c)) break
  }
  return end
}
