/** What a stem tells of the call that its word is, for a first look. */
import { secretsOfCall } from "./secretCalls.ts"

const none = (): boolean => true

/** What tells by itself, or of what stands before it. */
const telling = /^(?:asic_auth |ararray|p =)/
const shortest = 4

/** Whether a stem in the word that ends at `end` tells of a secret: of a call with one among its arguments, most of all. */
export const isTellingMore = (text: string, { 0: stem, index }: RegExpExecArray, end: number): boolean => {
  const stemEnd = index + stem.length - 1
  const open = text.charCodeAt(stemEnd) === 40 ? stemEnd : end
  if (text.charCodeAt(open) === 40 && secretsOfCall(text, open, none)) return true
  return stem.length > shortest && telling.test(stem)
}
