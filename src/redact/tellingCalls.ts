/** What a stem tells of the call that its word is, for a first look. */
import { secretsOfCall } from "./secretCalls.ts"

const none = (): boolean => true

/** What tells by itself, or of what stands before it. */
const telling =
  /^(?:asic_auth |ararray|p =|accounts|ess(?:ion)?_?id|ect\.sid|erlist|eap |encoded|ommunity|ouncer|olana)/
const shortest = 4

/** `key 7 0822455D0A16`, `: XAUTH "…"`, `"keyName": "key1", …, "value": "…"`. */
const behind = / 7 [\dA-F]{8}| \\*"|(?:Name|name|_name)?\\*["']?\s?:[^{}]{0,400}[:=]\s?\\*["'][\w+/]{42,86}=/y
const isToldBehind = (text: string, stem: string, index: number): boolean => {
  const from = index + stem.length
  const c = text.charCodeAt(from) | 32
  if (c !== 32 && c !== 110 && c !== 95) return false
  if (c === 32 && stem === "auth" && !text.startsWith(": X", index - 3)) return false
  if (c !== 32 && stem !== "key") return false
  behind.lastIndex = from
  return behind.test(text)
}

/** Whether a stem in the word that ends at `end` tells of a secret: of a call with one among its arguments, most of all. */
export const isTellingMore = (text: string, { 0: stem, index }: RegExpExecArray, end: number): boolean => {
  const stemEnd = index + stem.length - 1
  const open = text.charCodeAt(stemEnd) === 40 ? stemEnd : end
  if (text.charCodeAt(open) === 40 && secretsOfCall(text, open, none)) return true
  if ((stem === "key" || stem === "auth") && isToldBehind(text, stem, index)) return true
  return stem.length > shortest && telling.test(stem)
}
