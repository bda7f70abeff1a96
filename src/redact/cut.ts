/** Shortens a text without leaving half a secret: half a token has no shape by which the redactor could know it. */
import { redactText } from "./redact.ts"

/** Whoever keeps the head of a stream keeps this much more, in characters or bytes, and lets `cut` decide. */
export const cutWindow = 4096

const longestMark = 40

/** At most `longest` characters from the beginning. Only a text that is too long is redacted: the rest is up to the log. */
export const cut = (text: string, longest: number): string => {
  if (text.length <= longest) return text
  const whole = text.length <= longest + cutWindow
  const plain = redactText(whole ? text : text.slice(0, longest + cutWindow))
  // So much was taken out that the window's own end came into reach.
  const head =
    plain.length > longest || whole ? plain.slice(0, longest) : plain.replace(/[\w+/=.-]{1,512}$/, "")
  const mark = head.lastIndexOf("‹")
  const torn =
    mark > head.length - longestMark && !head.includes("›", mark) && plain.startsWith("‹redacted:", mark)
  const kept = torn ? head.slice(0, mark) : head
  const last = kept.charCodeAt(kept.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? kept.slice(0, -1) : kept
}
