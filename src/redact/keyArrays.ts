/** Keys written byte by byte behind a declaration, also in a diff, with a cast before each byte, or as a dump in hexadecimal. */
import { areRandomBytes } from "./byteLists.ts"
import { secretName } from "./secretNames.ts"
import type { Hit } from "./secretTokens.ts"
import { placesOf, signOf } from "./signs.ts"
import { isLetter } from "./words.ts"

/** What parts two of them, also where a diff or a listing puts a sign before each line. */
const gap = String.raw`\s{0,4},(?:[ \t]|\r?\n(?:[+-](?=[ \t]))?|\\[nrt](?:[+-](?=[ \t]))?){0,40}`
const byte = String.raw`(?:\((?:byte|u?int8_t|char|unsigned char)\)\s?)?-?(?:0x[\da-fA-F]{1,2}|\d{1,3})(?:u8|u|\.toByte\(\))?`
const list = String.raw`(${byte}(?:${gap}${byte}){15,4200})`
/** From the name on: sizes, types and what makes a list of the bytes. */
const declared = new RegExp(
  String.raw`["'\\]{0,4}(?:\[\w{0,30}\](?:\s[A-Z_]{3,20})?|\s?:\s?&?(?:'\w{1,20} )?[\w<>[\];., ]{1,40})?\s{0,4}(?::?=|=>|:)\s{0,4}&?(?:new )?(?:[A-Za-z_][\w.:]{0,30}(?:<[^<>\n]{1,30}>)?!?\s?|\[\w{0,10}\]\s?\w{1,10})?(?:\[\])?\s?[({[]{1,2}(?:[ \t]|\r?\n(?:[+-](?=[ \t]))?|\\[nrt](?:[+-](?=[ \t]))?){0,40}${list}`,
  "y"
)
/** Bytes parted by blanks: `key=netkey type=blob len=16 val=e2 6a …`. */
const dumped =
  /(?:[\w-]{0,24}(?:[ \t]{1,3}[A-Za-z_][\w-]{0,16}[=:][\w.-]{1,16}){0,4}[ \t]{1,3}(?:val|value|data|hex|bytes))?["']?\s?[:=([]{1,2}[ \t]{0,3}((?:[\da-fA-F]{2} ){15,63}[\da-fA-F]{2})(?![\w ]?[\da-fA-F]{2})/y
/** Whether bytes of that name are a key. */
const isKeys = (name: string): boolean => {
  const kind = secretName(name)
  const isKey = kind === "api-key" || kind === "random-key" || kind === "secret" || kind === "password"
  return (isKey || /^key$|seed$/i.test(name)) && !isDigest.test(name)
}
const isDigest = /pub|cert|hash|sha\d|digest|fingerprint|cache|scan|keycode|keymap/i
const longestName = 40

/** How many stand there, as numbers; a language with signs writes some of them below zero. */
const plain = (bytes: string): string =>
  bytes
    .replace(/\.toByte|\([^)]*\)|\\[nrt]|[+\s]|u8?\b/g, "")
    .replace(/,-(?=[,]|$)/g, ",")
    .split(",")
    .map((one) => (one.startsWith("-") ? String(256 + Number(one)) : one))
    .join(",")

const areRandomPairs = (bytes: string): boolean =>
  areRandomBytes(
    bytes
      .split(" ")
      .map((pair) => `0x${pair}`)
      .join(",")
  )

/** The key that the name around `at` declares, if it is one; whether to go on. */
export const bytesFrom = (text: string, at: number, hit: Hit): boolean => {
  let end = at
  while (end < at + longestName && isLetter(text.charCodeAt(end))) end++
  const next = text.charCodeAt(end)
  if (
    next === 32
      ? !isSign(text.charCodeAt(end + 1))
      : !isSign(next) && next !== 34 && next !== 92 && next !== 39
  )
    return true
  if (!opensList(text, end) && !hasPairs(text, end)) return true
  const declares = bytesAt(declared, text, end, (bytes) => areRandomBytes(plain(bytes)))
  const found =
    declares ??
    bytesAt(dumped, text, end + (next === 61 ? 1 : 0), areRandomPairs) ??
    bytesAt(dumped, text, end, areRandomPairs)
  if (found === undefined) return true
  let start = at
  while (start > 0 && at - start < longestName && isLetter(text.charCodeAt(start - 1))) start--
  return !isKeys(text.slice(start, end)) || hit(found.start, found.end, "key")
}

const bytesAt = (pattern: RegExp, text: string, at: number, judge: (bytes: string) => boolean) => {
  pattern.lastIndex = at
  const bytes = pattern.exec(text)?.[1]
  if (bytes === undefined || !judge(bytes)) return undefined
  const end = pattern.lastIndex
  const start = text.lastIndexOf(bytes, end)
  return { start, end: start + bytes.length }
}

/** A bracket, a colon or an equals sign. */
const isSign = (c: number): boolean => c === 91 || c === 58 || c === 61 || c === 40

const isBlank = (c: number): boolean => c === 32 || c === 9 || c === 10 || c === 13 || c === 43

/** Whether a bracket opens on the line, with a number behind it. */
const opensList = (text: string, from: number): boolean => {
  for (let at = from; at < Math.min(from + 64, text.length); at++) {
    const c = text.charCodeAt(at)
    if (c === 10) return false
    if (c !== 91 && c !== 123 && c !== 40) continue
    let next = at + 1
    while (next < at + 48) {
      if (isBlank(text.charCodeAt(next))) next++
      else if (text.charCodeAt(next) === 92) next += 2
      else break
    }
    const first = text.charCodeAt(next)
    if ((first > 47 && first < 58) || first === 45 || first === 40) return true
  }
  return false
}

/** Whether pairs that blanks part stand on it. */
const hasPairs = (text: string, from: number): boolean => {
  for (let at = from + 3; at < from + 84; at += 9)
    for (let first = at; first < at + 3; first++)
      if (
        text.charCodeAt(first) === 32 &&
        text.charCodeAt(first + 3) === 32 &&
        text.charCodeAt(first + 6) === 32 &&
        text.charCodeAt(first + 9) === 32
      )
        return true
  return false
}

const sign = signOf("key", "seed", "secret", "master", "psk")

export const findKeyArrays = (text: string, hit: Hit): void => {
  for (const at of placesOf(text, sign)) if (!bytesFrom(text, at, hit)) return
}
