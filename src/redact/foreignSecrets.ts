/** Secrets that a text in another language than English tells: `Passwort: …`, `la contraseña es …`, `パスワードは…です`. */
import { beginningsOf, eachPlace } from "./beginnings.ts"
import { foreignWord } from "./foreignNames.ts"
import { lowerCaseOf } from "./lowerCase.ts"
import { isNoWord } from "./noWord.ts"
import { looksRandom, looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** Whose or what for: `для сервера`, `del servidor`, `für den Server`, `que me dieron`. */
const purpose = String.raw`(?:\s(?:de|del|des|du|d['’]|da|do|della?|dello|para|pour|per|von|vom|für|zum|zur|der|för|til|till|voor|van|dla|do|от|для|до|к|на|pro|za|a|que|che|qu['’]|die|который|которую|який|nova|novo|nueva|nuova)\s?(?:[\p{L}\w.@'’/-]{1,40}\s?){1,5}?)?`
/** That it is so from now on. */
const now = String.raw`(?:\s(?:agora|ahora|ora|adesso|maintenant|désormais|jetzt|nun|ab jetzt|nu|nå|nyt|teraz|teď|acum|artık|şimdi|теперь|тепер|сейчас|зараз))?`
/** Signs in any writing, and verbs that say what it is. */
const joint = String.raw`(?:\s{0,3}(?:[:=：＝]|->|→|=>|—|–)\s{0,3}|,?\s(?:ist|lautet|est|c['’]est|es|é|è|is|är|er|on|to|jest|je|este|olarak|adalah|là|war|era|sarà|será|fue|ficou|quedó|wurde auf|geändert auf|changé en|cambiata in|cambiada a|mudou para|zmieniono na|изменён на|змінено на|-|—)(?:\s?:)?${now}\s{1,2}|\s(?:теперь|тепер|artık|сейчас|зараз)\s{1,2}|\s{0,2}(?:现在|現在|已)?(?:改成|改为|改為|换成|設為|设为|设置为|重置为|更新为|是|为|為)了?[:：]?\s{0,2}|\s{0,2}(?:は|는|은|이|가|を)[、:：]?\s{0,2}|(\s)(?=[^\s]{0,60}[\d!#$%&*+~?]))`
const value = String.raw`(?:[*_]{0,2}[「『“„«"'\x60‘][\s\u00a0]?([^"'\x60」』”“»’\n]{4,80}?)[\s\u00a0]?[」』”“»"'\x60’]|([!-~\u00c0-\u024f\u0400-\u04ff]{4,200}))`

/** How each kind of name goes on to its secret; of letters that the others have no words in, nothing parts words. */
let told: RegExp | undefined
const toldPattern = (): RegExp =>
  (told ??= new RegExp(
    `(?<![a-z\\u00df-\\u024f])${foreignWord}["'\`*_）)」]{0,3}${purpose}${joint}(?:${value})`,
    "iuy"
  ))

let names: RegExp | undefined
const namePattern = (): RegExp => (names ??= new RegExp(foreignWord, "y"))

const isOnlyASecret = (value: string): boolean =>
  value.length >= 8 &&
  ((/\d/.test(value) && (/[A-Z].*[a-z]|[a-z].*[A-Z]/.test(value) || looksRandom(value))) ||
    // Words that somebody joined, with a sign around them that no word has.
    (/[!#$%&*+~?]/.test(value) && /\p{Ll}\p{Lu}\p{Ll}/u.test(value)))

const trailing = /[.,;:!?)*_]+$/

/** The secret behind the name at `at`, if one is; returns where it ends. */
const toldAt = (text: string, at: number, hit: Hit): number => {
  const pattern = toldPattern()
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (found === null) return 0
  const [, password, blank, quoted, bare = ""] = found
  const plain = quoted ?? bare.replace(/^["'`]|["'`].*$/g, "").replace(trailing, "")
  const kind = password === undefined ? "token" : "password"
  const isNumber = kind === "password" && /^\d{4,}$/.test(plain)
  if (!isNumber && !isNoWord(plain)) return 0
  // Where a blank alone parts them, only what no sentence has.
  if (blank !== undefined && !isOnlyASecret(plain)) return 0
  if (!looksSecret(kind, kind, plain, quoted === undefined ? "loose" : "quoted", undefined)) return 0
  const start = at + found[0].lastIndexOf(plain)
  hit(start, start + plain.length, tokenKind(plain) ?? kind)
  return start + plain.length
}

/** How those of Latin letters begin: the others begin with a letter that is none of English. */
export const foreignBeginnings = beginningsOf(
  (
    "pass kenn zuga mot mots cont clav senh pala wach lose löse adga kode sala hesl hasl hasł jels paro sifr lozi kata sand mật " +
    "apis api- api zugr gehe clé cle chav chia kluc jeto segr"
  ).split(" ")
)

export const findForeign = (text: string, hit: Hit): void => {
  const lower = lowerCaseOf(text)
  if (lower === undefined) return
  const pattern = namePattern()
  eachPlace(lower, foreignBeginnings, (at) => {
    pattern.lastIndex = at
    return pattern.test(lower) ? Math.max(pattern.lastIndex, toldAt(text, at, hit)) : 0
  })
}
