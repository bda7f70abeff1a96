/** Passwords of several words, or on a line of their own: `passphrase: three words here`, a block of YAML, columns parted by blanks. */
import { isMessageOf } from "./messages.ts"
import { nameStems, secretName } from "./secretNames.ts"
import type { Hit } from "./secretTokens.ts"

const words = String.raw`[^\s"'\x60#:=(){}<>[\]|,;‹›\\][^\s"'\x60(){}<>[\]|\\]{0,40}(?: (?:&|[^\s"'\x60=(){}<>[\]|\\]{1,40})){1,7}`
/** A name that begins its line or its member of a list, and several words up to the line's end. */
const line = new RegExp(
  String.raw`(?:^|\n|, |[{;] ?)[ \t]{0,40}(?:[-*+] )?["']?([\p{L}_][\p{L}\w.-]{1,60})["']?(?:[ \t]{0,20}[:=][ \t]{1,20}|[ \t]{3,40}|[ \t]{0,8}[:=][ \t]{0,4}[|>][-+]?\d?[ \t]{0,4}\r?\n[ \t]{1,40})(${words})[ \t]{0,4}(?=\r?\n|$|,)`,
  "gu"
)

/** Some words that are a password: none of them is of a message, and they do not all look like a sentence's. */
const isPhrase = (value: string): boolean => {
  if (isMessageOf(value)) return false
  const parts = value.split(" ")
  return /\d/.test(value) || /&|\p{Lu}/u.test(value) || parts.length >= 4
}

const stems = new RegExp(`${nameStems.source.replaceAll("$", "")}|парол|contrase`, "i")

export const findLineValues = (text: string, hit: Hit): void => {
  if (!stems.test(text)) return
  line.lastIndex = 0
  for (let found = line.exec(text); found !== null; found = line.exec(text)) {
    const [whole, name = "", value = ""] = found
    const kind = secretName(name)
    const start = found.index + whole.length - value.length
    // The end of one is the beginning of the next.
    line.lastIndex = Math.max(found.index + 1, start)
    if ((kind !== "password" && kind !== "secret") || !isPhrase(value)) continue
    hit(start, start + value.length, kind)
    line.lastIndex = start + value.length
  }
}
