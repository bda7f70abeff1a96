/** What a stem tells of the call that its word is, for a first look. */
import { secretsOfCall } from "./secretCalls.ts"

const none = (): boolean => true

/** What tells by itself, or of what stands before it; of words that are common, only before what they tell of. */
const telling = new Map<string, RegExp | undefined>([
  ["asic_auth ", /[^\s,]/y],
  ["ararray()", undefined],
  ["essionid", /\\*["'](?!\s?:)/y],
  ["essid", /\\*["'](?!\s?:)/y],
  ["ect.sid", undefined],
  ["erlist.txt", undefined],
  ["encoded", /\\*["']\s?:/y],
  ["ommunity ", /[^\s]{0,40}\d|[^\s<]{4,64} R[OW]\b/y],
  ["ouncer", undefined],
  ["olana", undefined],
  ["edent", /ials? [\w.@-]{1,60}:[^\s:/]/y],
  [
    "key",
    / (?=[A-Z\d]{5}-[A-Z\d]{5}-)| (?=[^\s\d]{0,60}\d)(?<=(?:tacacs|radius|isakmp)[^\n]{0,120}key )| 7 [\dA-F]{8}|(?:Name|name|_name)\\*["']?\s?:[^{}]{0,400}[:=]\s?\\*["'][\w+/]{42,86}=/y
  ],
  ["auth", / (?:\\*"|[^\s:"]{1,60}:\S)/y],
  ["puk", /(?![a-z])/y]
])
/** What is asked for, and said next: `asks for a password, it's …`. */
const said = /[^\n.;:"]{0,60}?(?:it['’]?s|it is|that['’]?s|type|enter|use|say|answer) [^\s]{0,40}\d/y
const asks = /^(?:ask[s,e ]|prompt)/
/** What a cookie that is an object has before its name. */
const named = /name\\*["']?\s?[:=]\s?\\*["'][\w.-]{0,24}$/i
/** Of a user and a password that are compared, the second. */
const both = /(?:&&|and)\s?$/
const prefixes = /^accounts/

const isToldBy = (text: string, stem: string, index: number): boolean => {
  const end = index + stem.length
  // By far the most of them.
  if (stem === "ass") return false
  if (asks.test(stem)) {
    said.lastIndex = end
    return said.test(text)
  }
  if ((stem === "essionid" || stem === "essid") && !named.test(text.slice(Math.max(0, index - 48), index)))
    return false
  if (stem.startsWith("p =")) return both.test(text.slice(Math.max(0, index - 5), index))
  if (stem === "auth" && !text.startsWith(": X", index - 3) && !text.startsWith("stats ", index - 6))
    return false
  const behind = telling.get(stem)
  if (behind === undefined) return telling.has(stem) || prefixes.test(stem)
  behind.lastIndex = end
  return behind.test(text)
}

/** The second and third letters of all that may tell: most stems have others, and are asked no more. */
const pairs = new Uint8Array(1024)
const pairOf = (before: number, last: number): number => ((before & 31) << 5) | (last & 31)
for (const stem of [...telling.keys(), "ask", "prompt", "accounts", "p ="])
  pairs[pairOf(stem.charCodeAt(1), stem.charCodeAt(2))] = 1

/** Whether the word that ends at `end`, or the stem in it, is a call with a secret among its arguments. */
export const tellsCall = (text: string, stem: string, at: number, end: number): boolean => {
  if (text.charCodeAt(end) === 40 && secretsOfCall(text, end, none)) return true
  const last = at + stem.length - 1
  return last !== end && text.charCodeAt(last) === 40 && secretsOfCall(text, last, none)
}

/** Whether a stem tells of a secret by what stands beside it. */
export const tellsMore = (text: string, stem: string, at: number): boolean => {
  // A text in lower case has the same letters there, but for 32.
  const pair = pairOf(text.charCodeAt(at + 1), text.charCodeAt(at + 2))
  return pairs[pair] === 1 && isToldBy(text, stem, at)
}
