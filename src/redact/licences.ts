/** Licence keys: groups of capitals and digits, bare where there are five of five, else beside what says that they are. */

const ofProduct = /^[A-Z\d]{5}(?:-[A-Z\d]{5}){4}$/
const grouped = /^(?:[A-Z\d]{1,3}-)?[A-Z\d]{4,7}(?:-[A-Z\d]{4,7}){2,7}$/
/** What says so, before it on its line or the one before, or right behind it. */
const about =
  /licen[cs]|lizenz|licenz|licença|лиценз|许可|ライセンス|라이선스|serial(?![ _-]?port|i[sz])|seriennummer|num[eé]ro de s[eé]rie|activat|activaci|ativação|attivazione|aktivier|product[ _-]?key|produktschlüssel|cd[ _-]?key|registration (?:key|code)|unlock (?:key|code)|seats?\b/i
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
