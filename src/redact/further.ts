/** What the first look asks about a stem that no sign follows: whether what it names is told further behind. */
import { answerFrom } from "./answers.ts"
import { passwordFrom } from "./chosenPasswords.ts"
import { codeFrom } from "./codesTold.ts"
import { bytesFrom } from "./keyArrays.ts"
import { keyFrom } from "./keysTold.ts"
import { tellsNetworkKey } from "./networkKeys.ts"
import { phraseFrom } from "./phrasesTold.ts"
import { aheadOf } from "./saidAhead.ts"
import { formFrom } from "./statedForms.ts"
import { isNamedPlain } from "./tables.ts"

/** A word for a password, for a key, for what may be written byte by byte. */
export const ofPasswords = 16_384
export const ofKeys = 32_768
export const ofBytes = 65_536
export const ofNetworks = 131_072
export const ofOptions = 262_144
export const ofCodes = 524_288
export const ofForms = 1_048_576
export const ofPhrasesTold = 2_097_152
export const ofUses = 4_194_304

const passwords =
  /^(?:ass(?!k)|pw|contrase|ntrase|ontrase|nha|enha|e?nnwort|asswort|asse|achtwoo|aslo|asło|alasana|adgangsk|arola|ata sandi|kodeord|eslo|elsz|enord|ozinka|osenord|парол|密|口令|パス|暗証|비밀|암호|패스|şifre)/
const keys =
  /^(?:key|sekret|clé|klucz|nyckel|sleutel|oken|ecre|ave|schl| schl|-schl|ключ|токен|секрет|密[钥鑰]|秘|令牌|トークン|シーク|キー|키|토큰|시크릿)/
const bytes = /^(?:key|ecre|eed|psk)/

const codes = /^(?:code|codice|kod(?!eord)|kód|koodi|pin|puk|tan|otp|digo)/

const forms = /^(?:auth$|eed|cle_|ave|klucz|klic_|sleutel|nyckel|schluessel|jeton_|ess?ion|essid|ect\.sid)/
const phrases =
  /^(?:phras|alabras|alavras|parole|mots {2}|mots|w[öo]|słow|slova|woord|herstel|frase|fraza|kelimel|слов|фраз|助|シード|リカ|復|ニー|니모|복구|시드)/
const uses = /^(?:everyt|every s|all of|all acc|alles|tout|todo|tutto|tudo|wszys|allt|alt |всего|везде)/

/** What a stem may tell further on, as bits. */
export const furtherOf = (stem: string): number =>
  (passwords.test(stem) ? ofPasswords : 0) |
  (keys.test(stem) ? ofKeys : 0) |
  (bytes.test(stem) ? ofBytes : 0) |
  (stem.startsWith("wi") || stem === "wlan" ? ofNetworks : 0) |
  (stem.startsWith("on ") ? ofOptions : 0) |
  (codes.test(stem) ? ofCodes : 0) |
  (forms.test(stem) ? ofForms : 0) |
  (phrases.test(stem) ? ofPhrasesTold : 0) |
  (uses.test(stem) ? ofUses : 0)

const none = (): boolean => false

/** Whether the stem at `at` names a code that is told beside it. */
export const tellsCode = (text: string, at: number, signs: number): boolean =>
  (signs & ofCodes) !== 0 && !codeFrom(text, at, none)

/** Whether what the stem at `at` names, in a word that ends at `end`, is told behind it. */
export const tellsFurther = (text: string, at: number, end: number, signs: number): boolean =>
  ((signs & (ofPasswords | ofKeys | ofCodes)) !== 0 && !answerFrom(text, at, none)) ||
  ((signs & ofPasswords) !== 0 &&
    (!passwordFrom(text, at, none) ||
      !aheadOf(text, at, none) ||
      !formFrom(text, at, none) ||
      isNamedPlain(text, end))) ||
  ((signs & ofKeys) !== 0 && !keyFrom(text, at, none)) ||
  ((signs & ofBytes) !== 0 && !bytesFrom(text, at, none)) ||
  ((signs & ofNetworks) !== 0 && tellsNetworkKey(text, at)) ||
  ((signs & ofForms) !== 0 &&
    (!formFrom(text, at, none) || (text.charCodeAt(at - 1) === 45 && !keyFrom(text, at - 1, none)))) ||
  ((signs & ofPhrasesTold) !== 0 && !phraseFrom(text, at, none)) ||
  ((signs & ofUses) !== 0 && !aheadOf(text, at, none, true)) ||
  ((signs & ofOptions) !== 0 && !formFrom(text, at + 3, none))
