/** Licence keys: groups of capitals and digits, bare where there are five of five, else beside what says that they are. */
import type { Hit } from "./secretTokens.ts"
import { matchesNear, signOf } from "./signs.ts"

const ofProduct = /^[A-Z\d]{5}(?:-[A-Z\d]{5}){4}$/
const grouped = /^(?:[A-Z\d]{1,3}-)?[A-Z\d]{4,7}(?:-[A-Z\d]{4,7}){2,7}$/
/** What says so, before it on its line or the one before, or right behind it. */
const about =
  /licen[cs]|lizenz|licenz|licença|лиценз|许可|ライセンス|라이선스|serial(?![ _-]?port|i[sz])|seriennummer|num[eé]ro de s[eé]rie|activat|activaci|ativação|attivazione|aktivier|product[ _-]?key|produktschlüssel|cd[ _-]?key|registration (?:key|code)|unlock (?:key|code)|seats?\b/i
/** A line that says what it holds, near what says of what. */
const labelled =
  /(?:^|\n|\\n)[ \t>*|-]{0,6}(?:(?:licen[cs]e |product |activation )?(?:serial(?: ?(?:number|no\.?))?|code|key)|licen[cs]e|lizenz\w{0,10}|(?:lizenz|produkt)?schl(?:ü|ue)ssel|seriennummer|clé|clave|n[uú]mero de serie|numéro de série|klucz|numer seryjny|nyckel|sleutel)[ \t]{0,16}[:=][ \t]{0,4}([\da-z]{4,8}(?:-[\da-z]{4,8}){3,7})[ \t]{0,8}(?=[\r\n"']|\\[nr]|$)/gi
const ofLicences = signOf("licens", "licenc", "lizenz", "licenz", "лиценз", "seats")

/** Groups of small letters or of digits alone, which only their line tells from a number of anything else. */
const isLabelled = (value: string): boolean => {
  const groups = value.split("-")
  return (
    groups.every(({ length }) => length === (groups[0] as string).length) &&
    new Set(groups).size === groups.length &&
    (value.match(/\d/g)?.length ?? 0) >= groups.length &&
    !/(.)\1{3}|1234|x{3}/i.test(value)
  )
}

export const findLicences = (text: string, hit: Hit): void => {
  for (const { at, match } of matchesNear(text, ofLicences, labelled, 160, 240)) {
    const value = match[1] as string
    if (!isLabelled(value)) continue
    const start = at + match[0].length - value.length - (/[ \t]*$/.exec(match[0])?.[0].length ?? 0)
    hit(start, start + value.length, "licence-key")
  }
}

/** What is numbered the same way. */
const other = /\b(?:part|sku|model|order|invoice|asset|article|tracking)\b[ \w.:#-]{0,14}$/i
const before = 160
const after = 60

/** Groups as long as each other, most of them of letters and digits both. */
const isKey = (value: string): boolean => {
  const groups = value.split("-").filter((group, nth) => nth > 0 || group.length > 3)
  const mixed = groups.filter((group) => /\d/.test(group) && /[A-Z]/.test(group)).length
  return (
    groups.every((group) => group.length === (groups[0] as string).length) &&
    mixed * 2 > groups.length &&
    new Set(groups).size === groups.length &&
    !/(.)\1{3}|12345|ABCD/.test(value)
  )
}

/** A letter, or what joins it to a path or a name: there, it is part of something else. */
const isPart = (c: number): boolean => c === 95 || c === 47 || (c > 96 && c < 123)

/** Whether a word of capitals, digits and dashes from `start` to `end` is a licence key. */
export const isLicence = (text: string, start: number, end: number): boolean => {
  // The letter of an escape stands before it.
  if (isPart(text.charCodeAt(start - 1)) && text.charCodeAt(start - 2) !== 92) return false
  if (isPart(text.charCodeAt(end))) return false
  const value = text.slice(start, end)
  return (
    grouped.test(value) &&
    !other.test(text.slice(Math.max(0, start - 24), start)) &&
    isKey(value) &&
    (ofProduct.test(value) ||
      about.test(`${text.slice(Math.max(0, start - before), start)} ${text.slice(end, end + after)}`))
  )
}
