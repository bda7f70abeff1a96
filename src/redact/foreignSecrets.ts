/** Secrets that a text in another language than English tells: `Passwort: …`, `la contraseña es …`, `パスワードは…です`. */
import { foreignWord } from "./foreignNames.ts"
import { lowerCaseOf } from "./lowerCase.ts"
import { isNoWord } from "./proseSecrets.ts"
import { looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** Whose or what for: `для сервера`, `del servidor`, `für den Server`. */
const purpose = String.raw`(?:\s(?:de|del|des|du|d['’]|da|do|des|para|pour|per|von|vom|für|zum|zur|der|för|til|voor|van|dla|do|от|для|к|на|pro|za|a)\s(?:[\p{L}\w.@/-]{1,40}\s?){1,4}?)?`
/** Signs in any writing, and verbs that say what it is. */
const joint = String.raw`(?:\s{0,3}(?:[:=：＝]|->|→|=>|—|–)\s{0,3}|\s(?:ist|lautet|est|es|é|è|is|är|er|to|jest|je|on|olarak|adalah|là|war|era|-|—)(?:\s?:)?\s{1,2}|\s{0,2}(?:是|为|為|は|は、|는|은|이|가)[:：]?\s{0,2})`
const value = String.raw`(?:[*_]{0,2}[「『“„«"'\x60‘][\s\u00a0]?([^"'\x60」』”“»’\n]{4,80}?)[\s\u00a0]?[」』”“»"'\x60’]|([!-~\u00c0-\u024f\u0400-\u04ff]{4,200}))`

/** How each kind of name goes on to its secret; of letters that the others have no words in, nothing parts words. */
let told: RegExp | undefined
const toldPattern = (): RegExp =>
  (told ??= new RegExp(
    `(?<![a-z\\u00df-\\u024f])${foreignWord}["'\`*_）)」]{0,3}${purpose}${joint}(?:${value})`,
    "iuy"
  ))

let names: RegExp | undefined
const namePattern = (): RegExp => (names ??= new RegExp(foreignWord, "g"))

const trailing = /[.,;:!?)*_]+$/

/** The secret behind the name at `at`, if one is; returns where it ends. */
const toldAt = (text: string, at: number, hit: Hit): number => {
  const pattern = toldPattern()
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (found === null) return 0
  const [, password, quoted, bare = ""] = found
  const plain = quoted ?? bare.replace(/^["'`]|["'`].*$/g, "").replace(trailing, "")
  const kind = password === undefined ? "token" : "password"
  const isNumber = kind === "password" && /^\d{4,}$/.test(plain)
  if (!isNumber && !isNoWord(plain)) return 0
  if (!looksSecret(kind, kind, plain, quoted === undefined ? "loose" : "quoted", undefined)) return 0
  const start = at + found[0].lastIndexOf(plain)
  hit(start, start + plain.length, tokenKind(plain) ?? kind)
  return start + plain.length
}

export const findForeign = (text: string, hit: Hit): void => {
  const lower = lowerCaseOf(text)
  if (lower === undefined) return
  const pattern = namePattern()
  pattern.lastIndex = 0
  for (let found = pattern.exec(lower); found !== null; found = pattern.exec(lower)) {
    const end = toldAt(text, found.index, hit)
    pattern.lastIndex = Math.max(end, found.index + found[0].length)
  }
}
