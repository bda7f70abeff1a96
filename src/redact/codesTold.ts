/** Codes that a sentence tells: "le code … est 775 468", "she texted me 606906", "Larmkoden är 5486". */
import { type Strength, strengthOf, takesCode } from "./codeWords.ts"
import type { Hit } from "./secretTokens.ts"
import { matchesNear, placesOf, signOf } from "./signs.ts"
import { wordEnd } from "./words.ts"

const groups = String.raw`(\d{3}[ -]\d{3}|\d{6}|\d{4}[ -]\d{4})(?![\d.,:/-]?\d|[\w-]|\s?(?:ms|kb|mb|gb|bytes|rows|lines|times|euros?|items|%))`
const verb = String.raw`\s?(?:\s(?:is|was|ist|lautet|est|c['’]est|es|è|é|är|er|jest|je|este|kommt|says|reads)|(?<=\bkod[^\n]{0,60}\s)to|:)(?:\s(?:now|jetzt|maintenant))?\s{1,2}`
/** What lets somebody in; a code of a state, a place or a fault does not. */
const code = new RegExp(
  String.raw`\b(?:code|codes|código|codigo|codice|kod|kode|koodi|kód)(?<!(?:status|error|exit|return|response|zip|post(?:al)?|area|country|http|fault|sql|product|colou?r|promo|bar|source|line|currency|language|op|event|key)[ _-]?codes?)((?:[ ][^\s.;:!?(){}<>=|"\\\d]{1,20}){0,8}?)${verb}["'\x60*]{0,3}${groups}`,
  "giu"
)
const aside =
  /\b(?:error|status|exit|return|http|zip|postal|postcode|postleitzahl|country|area|erreur|sortie|retour|fehler|fault|product|discount|promo|customer|line|lines|ticket|issue|order|commit|length|id|from|of lines|postale?)\b/i
const texted =
  /\b(?:texted|sms['’]?e?d)\s(?:me|us|him|her|you|them)(?:\s(?:the|a|this))?(?:\s(?:code|number|pin))?[:,]?\s["'\x60*]{0,3}(\d{4,8}|\d{3}[ -]\d{3})(?=["'\x60*.,;:!?)]|\s(?:for|as|to|when|but|and|so|just|now|if|if|use|please)\b|\s?(?:$|\n|\\))(?![.,:]\d)/giu

/** Of a house, with whatever number opens it. */
const ofHouse = new RegExp(
  String.raw`\b(?:door|gate|alarm|garage|keypad|entry|lockbox|key ?safe|building|locker|safe|shed)\scode(?:\s(?:for|of|at)\s(?:\S{1,20}\s?){1,3}?)?${verb}["'\x60*]{0,3}(\d{4,8})(?!\d|[.,:/-]\d|\w)`,
  "giu"
)

const ofCodes = signOf("code", "código", "codigo", "codice", "kod", "koodi", "kód")
const ofTexts = signOf("texted", "smsed", "sms'ed", "sms’ed", "sms'd")

const number = String.raw`(\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|[A-Z]?\d{4,12}[A-Z]?)(?![\w-]|[.,:/]\d|\s?(?:ms|px|kb|mb|gb|bytes|rows|lines|items|times|pictures|euros?|%)(?![a-z]))`
/** Behind the word: an ending, some words, what says that it is so, and the number. */
const behind = new RegExp(
  String.raw`(?:['’]\p{L}{1,5})?((?:,?[ \u00a0][^\s:;!?(){}<>=|"\\]{1,30}(?<!\.)){0,10}?)(\s?[:=：]\s{0,3}|\s(?:is|was|ist|war|lautet|est|c['’]est|es|è|e|é|to|är|er|jest|je|este|on|это|kommt|says|reads|становится)(?:\s(?:now|jetzt|nun|maintenant|ahora|agora|ora|nu|teraz|теперь))?:?\s{1,2}|\s)["'\x60*“„«]{0,3}${number}`,
  "uy"
)
/** Before it: "4711 is the pin". */
const ahead = new RegExp(
  String.raw`(?<![\w.,:/-])${number}["'\x60*”“»]{0,3},?\s(?:is|ist|est|es|è|é|to|är|er|jest|je|это)\s(?:\p{L}{1,12}[ '’]){1,3}$`,
  "u"
)
/** In a field: its name, and beside it what is typed there. */
const inField =
  /\\*"\s?,(?:[^{}\n]{0,120}?,)?\s?\\*"(?:value|val|text|input|typed|keys|content|fill)\\*"\s?:\s?\\*"(\d{4,8})\\*"/y
/** In a log of what sends or checks them: `code=601161`. */
const logged = /\\*["']?\s?[:=]\s?\\*["']?(\d{4,8})(?![\w.-])/y
const ofService = /(?:\b|_)(?:otp|totp|2fa|mfa|two.factor|verif\w{0,8}|one.time|passcode|sms)/i

const reach = 110
const isLetterAt = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at)
  return (c > 64 && c < 91) || (c > 96 && c < 123) || c > 191
}
const isNumber = (value: string, strength: Strength, isSaid: boolean): boolean => {
  if (/^(?:1234(?:56(?:78)?)?|123[ -]456|(\d)\1+)$/.test(value)) return false
  if (strength === "personal") return /^[\d -]+$/.test(value) && (isSaid || !/^(?:19|20)\d\d$/.test(value))
  if (/^(?:19|20)\d\d$/.test(value) || value.length > 9) return false
  return strength === "locks" || (isSaid && /^(?:\d{6}|\d{3}[ -]\d{3}|\d{4}[ -]\d{4})$/.test(value))
}
/** Of a board's or a chip's, which has numbers as well; a function of an angle. */
const isOther = (word: string, before: string): boolean =>
  (/^pins?$/.test(word) &&
    !/\b(?:my|your|our|his|her|the|a|mein|dein|die|der|das|il|el|la|le|de|mi|tu|card|sim|phone)\s$/i.test(
      before
    )) ||
  word === "tan" ||
  /\b(?:gpio|board|header|chip|jumper|connector)\b/i.test(before)

const isDigit = (c: number): boolean => c > 47 && c < 58
/** Whether three digits stand in a row near, on its line: most words have none. */
const hasDigits = (text: string, from: number, to: number): boolean => {
  for (let at = Math.max(from, 0) + 2; at < to; at += 3) {
    if (!isDigit(text.charCodeAt(at))) continue
    const before = isDigit(text.charCodeAt(at - 1))
    const behind = isDigit(text.charCodeAt(at + 1))
    if (
      (before && behind) ||
      (before && isDigit(text.charCodeAt(at - 2))) ||
      (behind && isDigit(text.charCodeAt(at + 2)))
    )
      return true
  }
  return false
}
/** `mapping`, `instance`: a short word within another. */
const isWithin = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at) | 32
  return (
    (c === 112 || c === 111 || (c === 116 && text.charCodeAt(at) === 116)) &&
    isLetterAt(text, at - 1) &&
    text.charCodeAt(at - 2) !== 92
  )
}

/** The number that the word at `at` tells of, if one is told; whether to go on. */
export const codeFrom = (text: string, at: number, hit: Hit): boolean => {
  if (isWithin(text, at) || !hasDigits(text, at - 64, at + reach + 48)) return true
  let start = at
  while (start > 0 && at - start < 24 && isLetterAt(text, start - 1)) start--
  // The letter of an escape.
  if (text.charCodeAt(start - 1) === 92 && start < at) start++
  const end = wordEnd(text, at)
  if (isDigit(text.charCodeAt(end - 1)) || text.charCodeAt(end) === 40) return true
  const word = text.slice(start, end)
  const line = text.slice(Math.max(0, start - 60), start)
  const before = line.slice(line.lastIndexOf("\n") + 1)
  if (!codeName.test(word) || isOther(word, before)) return true
  return (
    (!hasDigits(text, end, end + reach) || afterWord(text, end, word, before, hit)) &&
    beforeWord(text, start, end, before, hit)
  )
}
const codeName =
  /^(?:(?:pin|puk|otp|totp|[a-z]{0,5}TAN|PIN|PUK|OTP)(?:s|code|kode?n?|kodu)?|пин(?:а|код)?|\p{L}{0,20}(?:code[ns]?|kod(?:e[nrt]?|u|em|in|om|а|ом)?|kód|codice|c[óo]digo|koodi|код(?:а|ом)?))$/iu

const afterWord = (text: string, end: number, word: string, before: string, hit: Hit): boolean => {
  behind.lastIndex = end
  const found = behind.exec(text)
  if (found !== null) {
    const [whole, said = "", joint = "", value = ""] = found
    const words = said.split(" ").length - 1
    const strength = strengthOf(word, `${before.slice(-24)} ${said}`)
    // `code: "…"`: whatever it is of.
    const isLabel = strength === "plain" && words === 0 && /[:=]/.test(joint)
    const isSaid = /[^\s]/.test(joint) || words === 0 || /^ d[eae]$/.test(said)
    const start = end + whole.length - value.length
    if (
      !isLabel &&
      whole.length <= reach &&
      strength !== undefined &&
      (isSaid || words < 3) &&
      isNumber(value, strength, isSaid)
    )
      return hit(start, start + value.length, strength === "locks" ? "access-code" : "one-time-code")
  }
  if (!ofService.test(before)) return true
  logged.lastIndex = end
  const value = logged.exec(text)?.[1]
  if (value === undefined || !isNumber(value, "locks", true)) return true
  const start = text.indexOf(value, end)
  return hit(start, start + value.length, "one-time-code")
}

const beforeWord = (text: string, start: number, end: number, before: string, hit: Hit): boolean => {
  const said = ahead.exec(before)
  const word = text.slice(start, end)
  if (said !== null) {
    const value = said[1] as string
    const strength = strengthOf(word, `${said[0].slice(value.length)} ${text.slice(end, end + 24)}`)
    const from = start - said[0].length
    if (strength !== undefined && isNumber(value, strength, true))
      return hit(from, from + value.length, "access-code")
  }
  const quote = before.lastIndexOf('"')
  const close = text.indexOf('"', end)
  if (quote === -1 || close === -1 || close - end > 40) return true
  let stop = close
  while (text.charCodeAt(stop - 1) === 92) stop--
  inField.lastIndex = stop
  const value = inField.exec(text)?.[1]
  if (value === undefined || !takesCode(text.slice(start - before.length + quote + 1, stop))) return true
  const from = text.lastIndexOf(value, inField.lastIndex)
  return hit(from, from + value.length, "one-time-code")
}

/** Where a word for a code begins. */
export const wordsOfCodes = signOf(
  "code",
  "kod",
  "codice",
  "código",
  "codigo",
  "koodi",
  "kód",
  "од",
  "пин",
  "pin",
  "puk",
  "tan ",
  'tan"',
  "otp"
)

export const findCodesTold = (text: string, hit: Hit): void => {
  for (const at of placesOf(text, wordsOfCodes)) codeFrom(text, at, hit)
  for (const { at, match } of matchesNear(text, ofCodes, code, 10, 160))
    if (!aside.test(match[1] as string)) take(at, match[0], match[2] as string, hit)
  for (const { at, match } of matchesNear(text, ofCodes, ofHouse, 20, 80))
    take(at, match[0], match[1] as string, hit)
  for (const { at, match } of matchesNear(text, ofTexts, texted, 10, 80))
    take(at, match[0], match[1] as string, hit)
}

/** Years and examples are none. */
const take = (at: number, whole: string, value: string, hit: Hit): void => {
  if (/^(?:(?:19|20)\d\d|123[ -]?456|(\d)\1+)$/.test(value)) return
  const start = at + whole.lastIndexOf(value)
  hit(start, start + value.length, "one-time-code")
}
