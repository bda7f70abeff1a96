/** Codes that a sentence tells: "le code … est 775 468", "she texted me 606906". */
import type { Hit } from "./secretTokens.ts"
import { matchesNear, signOf } from "./signs.ts"

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

export const findCodesTold = (text: string, hit: Hit): void => {
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
