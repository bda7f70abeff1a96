/** Calls that a secret is given through: what it is in another type. */

const called = /(?:new[ \t]+)?([\w$.:[\]]{1,60}(?:\(\)\.\w{1,30})?)\([ \t]*/y
/** What only gives a text another type, and looks nothing up. */
const converts =
  /(?:from|bytes?|encode|decode\w{0,6}|(?:from|un|2)hex\w{0,6}|hex2bin|atob|getbytes|frombase64\w{0,6}|fromhexstring|secretstr(?:ing)?|secretkeyspec|securitykey|hmacshakeyfor|secret::new|string|str|\[\]byte)$/i
/** Where the text begins in `Buffer.from("…", "hex")`, `[]byte("…")`; `at` where no such thing stands there. */
export const inConverter = (text: string, at: number, deep = 0): number => {
  if (deep > 1) return at
  called.lastIndex = at
  const name = called.exec(text)?.[1]
  if (name === undefined || !converts.test(name)) return at
  const end = called.lastIndex
  if (/["'`\\]/.test(text.charAt(end))) return end
  const inner = inConverter(text, end, deep + 1)
  return inner > end ? inner : at
}
