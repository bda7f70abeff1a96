/** Names of secrets with what says which of several it is: `API_KEY_PROD`, `dbPassword2`, `client_secret_v1`. */

const words =
  "prod preprod production prd dev staging stg test tst testing qa uat ci sandbox local live old new prev backup bak primary secondary rw"
/** By the last two letters: hardly any other name is looked at more closely. */
const byEnding: (readonly string[] | undefined)[] = Array.from({ length: 32 * 32 }, () => undefined)
const pairOf = (last: number, before: number): number => (before & 31) * 32 + (last & 31)
for (const word of words.split(" ")) {
  const pair = pairOf(word.charCodeAt(word.length - 1), word.charCodeAt(word.length - 2))
  byEnding[pair] = [...(byEnding[pair] ?? []), word]
}

const isDigit = (c: number): boolean => c > 47 && c < 58
const isLower = (c: number): boolean => c > 96 && c < 123
const isUpper = (c: number): boolean => c > 64 && c < 91
/** `_`, `-` or `.` */
const isSeparator = (c: number): boolean => c === 95 || c === 45 || c === 46

const mostDigits = 2

/** `2`, `_2`, `V2`, `_v2` */
const beforeNumber = (text: string, end: number): number => {
  let at = end
  while (end - at < mostDigits && isDigit(text.charCodeAt(at))) at--
  // Longer ones are a hash's length, a year, a port.
  if (isDigit(text.charCodeAt(at))) return -1
  if ((text.charCodeAt(at) | 32) === 118) at--
  return isSeparator(text.charCodeAt(at)) ? at - 1 : at
}

/** `_PROD`, `-prod`, `Prod` */
const beforeWord = (text: string, end: number, last: number): number => {
  const all = byEnding[pairOf(last, text.charCodeAt(end - 1))]
  if (all === undefined) return -1
  for (const word of all) {
    const start = end + 1 - word.length
    if (start < 2 || text.slice(start, end + 1).toLowerCase() !== word) continue
    const before = text.charCodeAt(start - 1)
    if (isSeparator(before)) return start - 2
    if (isLower(before) && isUpper(text.charCodeAt(start))) return start - 1
  }
  return -1
}

/** Where the name that ends at `end` ends without that; -1 where it has none. */
export const stemEnd = (text: string, end: number): number => {
  const last = text.charCodeAt(end)
  return isDigit(last) ? beforeNumber(text, end) : beforeWord(text, end, last)
}

/** Parsers, passes of a renderer and libraries are numbered too: of these names only what nobody typed is a secret, and none with a number. */
const common = /^(?:tokens?|bearer|pass|pw|auth)$/i

/** What a name of that stem announces, where the stem announces `kind`. */
export const qualifiedKind = <K extends string>(
  name: string,
  stem: string,
  kind: K | undefined
): K | "random-key" | undefined => {
  if (kind === undefined || !common.test(stem)) return kind
  return isDigit(name.charCodeAt(name.length - 1)) ? undefined : "random-key"
}
