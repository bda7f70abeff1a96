/** Keys and tokens told some words behind what they are: "this AES key (hex) …", "access token …", `"nwkKey": "…"`. */
import { escapeBefore } from "./escapes.ts"
import { isPublicValue } from "./publicValues.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { placesOf, signOf } from "./signs.ts"
import { wordEnd } from "./words.ts"

const shortest = 24
const longest = 600
/** So far behind its word a key may begin. */
const reach = 96

const characters = new Uint8Array(128)
for (let c = 33; c < 127; c++) characters[c] = /[\w+/=~-]/.test(String.fromCharCode(c)) ? 1 : 0
const isIn = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at)
  return c < 128 && characters[c] === 1
}

/** How far the text looked at last was found to hold no such run: names in it are many, and share what is behind them. */
const clear = { text: "", from: 0, to: 0, line: -1 }

/** Lets go of the text looked at last. */
export const forgetText = (): void => {
  clear.text = ""
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

/** Where the first run on the line begins that is long enough for a key; -1 for none. */
const runFrom = (text: string, from: number): number => {
  if (text !== clear.text || from < clear.from) {
    clear.text = text
    clear.to = 0
    clear.line = -1
  }
  clear.from = from
  if (clear.line < from) clear.line = lineEnd(text, from)
  // A call that makes one prints it on the next line.
  const most = Math.min(text.charCodeAt(from) === 40 ? text.length : clear.line, from + reach + shortest)
  let probe = Math.max(from + shortest - 1, clear.to)
  for (; probe < most; probe += shortest) {
    if (!isIn(text, probe)) continue
    let start = probe
    while (start > from && isIn(text, start - 1)) start--
    let end = probe + 1
    while (end < start + shortest && isIn(text, end)) end++
    if (end - start >= shortest) return start
    probe = end
  }
  clear.to = probe
  return -1
}

/** A blank, a quote, a sign or a bracket, or an escape. */
const opens = (text: string, at: number): boolean => {
  const c = text.charCodeAt(at)
  return (
    c === 32 ||
    c === 9 ||
    c === 34 ||
    c === 39 ||
    c === 96 ||
    c === 40 ||
    c === 58 ||
    c === 61 ||
    c === 92 ||
    c === 42 ||
    c === 60 ||
    c > 127
  )
}

const hex = /^(?:0x)?(?:[\da-f]{32,}|[\dA-F]{32,})$/
const isHex = (value: string): boolean =>
  hex.test(value) &&
  /\d.*\d.*\d/.test(value) &&
  /[a-f].*[a-f]/i.test(value) &&
  !/^(?:0x)?.?(.)\1{6}/.test(value)

/** How often a value goes from one sort of character to another: what people name hardly does. */
const changesOf = (value: string): number => {
  let changes = 0
  let before = 0
  for (let at = 0; at < value.length; at++) {
    const c = value.charCodeAt(at)
    const sort = c > 96 && c < 123 ? 1 : c > 64 && c < 91 ? 2 : c > 47 && c < 58 ? 3 : before
    if (sort !== before) changes++
    before = sort
  }
  return changes
}

const example = /x{5}|X{5}|(.)\1{5}|your[-_]?|placeholder|example|changeme|redacted|1234567890/i
/** Made at random: small letters, capitals and digits among each other. */
const isMixed = (value: string): boolean =>
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  (value.match(/\d/g)?.length ?? 0) > 2 &&
  changesOf(value) * 3 > value.length &&
  (value.match(/[/_-]/g)?.length ?? 0) * 8 < value.length

/** Digests as long as commits are left alone, wherever they stand. */
const isCommit = (value: string): boolean => value.length === 40 && /^[\da-f]+$/.test(value)

const isMade = (value: string): boolean =>
  !isPublicValue(value) && !example.test(value) && !isCommit(value) && (isHex(value) || isMixed(value))

/** Words, and what a log says of a key before it: `key=netkey type=blob len=16 val=`. */
const between =
  /^["'`*)\]\\]{0,4}(?:[ \u00a0][("'`“]?[\p{L}\d@.#'’/+-]{1,24}[!?]?[)"'`”]?,?){0,9}(?:\s?(?:[:=：]|->|→)|は|是)?[ \u00a0]?(?:\\*["'`*“(<]{0,3})$/u
/** Nothing but a sign. */
const assigned = /^["'`\\\])]{0,4}\s?[:=]>?\s{0,2}\\*["'`]?$/
const verb =
  /\b(?:value|wert|valeur|valor|valore|waarde|wartość|värde)\b|[:=：]|\s(?:is|are|was|now|ist|lautet|est|es|è|é|är|jest|to|это)\s|は|是/u
/** Whose key it is not: one of a cache, a table, a page, or that everybody may see. */
const notKey =
  /(?:public|publishable|pub|cache|primary|secondary|foreign|sort|partition|shard|row|hash|range|object|bucket|s3|translation|i18n|react|map|dict|lookup|idempotency|dedupe?|routing|host|kernel|ssh|gpg|pgp|ctrl|shift|hot|turbo|storage|build|artifact|page|next|continuation|sync|cancel(?:lation)?|pad|csrf|etag)[ _-]?$/i
const notSaid =
  /hash|\bsha|digest|checksum|commit|integrity|fingerprint|thumbprint|cache|\bid\b|\bids\b|uuid|etag|revision|public|image|\bpath|version|request|trace|signature|\bh1:|\bkid\b|restor|artifact|encrypted|sealed|cipher ?text|invalid|unknown|not found|missing/i
/** Of all that is called a key, with what encrypts, signs or opens something. */
const qualified =
  /(?:\b(?:aes|api|des|hmac|jwt|rsa|secret|private|access|encryption|encrypt\w{0,3}|decryption|signing|master|shared|session|wrapping|root|device|network|link|mesh|net|nwk|app|auth|bearer|service|deploy|personal|refresh|admin|licen[cs]e|unlock|activation|fernet|cookie)|x-[\w-]{1,40}|(?:nwk|app|net|mesh|link|dev|ntwk|network)s?)[ _-]?(?:key|token|secret|(?<=-)auth)s?$/i
/** The same in languages that say it behind the word. */
const qualifiedBehind =
  /^\s(?:доступа|шифрования|api|апи|d['’](?:acc[eè]s|api|encodage)|de (?:la )?(?:acceso|acesso|cifrado|chiffrement|criptografia|api)|di (?:accesso|cifratura)|d['’]api|segreta|secreta|secr[eè]te|dostępu|szyfrowania|api|klienta|aplikacji)(?![\p{L}])/iu
const named = /(?:nwk|net|mesh|link|app|dev|network|ntwk)_?s?_?(?:enc|int|skey|key)$|^(?:ltk|irk|csrk)$/i
const isQuoteOrBlank = /^(?:$|[\s"'`*)\],;!?”’»<]|\.(?:\s|$|\\)|\\)/

/** What a call that makes one printed on the next line. */
const maker = /(?:generate_key|token_(?:hex|urlsafe|bytes))$/
const printed = /^\(\d{0,3}\)(?:\r?\n|\\{1,4}n)(?:=> )?b?\\*["']$/

/** Whether what stands there may be a few words: a sign that ends a sentence or parts a pair stands at their end alone. */
const maySay = (text: string, from: number, to: number): boolean => {
  let blanks = 0
  if (text.charCodeAt(from) === 40) return to - from < 16
  for (let at = from; at < to; at++) {
    const c = text.charCodeAt(at)
    if (c === 32) blanks++
    else if (
      c === 58 ? at < to - 8 && at > from + 4 : c < 32 || c === 59 || c === 123 || c === 125 || c === 124
    )
      return false
  }
  return blanks < 10
}

const wordBefore = (text: string, end: number): string => text.slice(Math.max(0, end - 40), end)

/** The key told behind the word that ends at `end`, if one is. */
const keyBehind = (text: string, end: number): { start: number; end: number } | undefined => {
  const from = runFrom(text, end)
  if (from === -1) return undefined
  if (!opens(text, from - 1) || !maySay(text, end, from)) return undefined
  let stop = from + shortest
  while (stop < from + longest && isIn(text, stop)) stop++
  if (stop === from + longest) return undefined
  let start = from + escapeBefore(text, from, text.slice(from, from + 8))
  let value = text.slice(start, stop)
  // `val=…`: what stands before the sign is a name.
  const name = /^[A-Za-z_]\w{0,20}=(?=[^=])/.exec(value)?.[0].length ?? 0
  start += name
  value = value.slice(name)
  if (!isQuoteOrBlank.test(text.slice(stop, stop + 2))) return undefined
  const said = text.slice(end, start - (start > from && name === 0 ? start - from + 1 : 0))
  const word = wordBefore(text, end)
  if (printed.test(said) && maker.test(word) && isMade(value)) return { start, end: stop }
  if (
    said.length > reach ||
    notSaid.test(said) ||
    !between.test(said.replace(/[A-Za-z_]\w{0,20}=(?=[^\s=]*(?:\s|$))/g, ""))
  )
    return undefined
  const isTold = licenceId.test(value)
    ? verb.test(said) && isOfLicence(text, end, stop)
    : isMade(value) && isAbout(word, said, value)
  return isTold ? { start, end: stop } : undefined
}

/** A program's key that is an id, where what stands around it is about a licence. */
const licenceId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const isOfLicence = (text: string, end: number, stop: number): boolean =>
  /licen[cs]|lizenz|activation|serial|\bpurchase code/i.test(
    text.slice(Math.max(0, end - 60), end) + text.slice(stop, stop + 40)
  ) && !/licen[cs]e[_ ]?id/i.test(text.slice(end - 20, stop))

/** Whether a value that is written like a digest is the key that a member's name says, as those of devices are. */
export const isNamedKey = (name: string, value: string): boolean =>
  isHex(value) &&
  /key$/i.test(name) &&
  (/^[\dA-F]+$/.test(value) || named.test(name)) &&
  !isCommit(value) &&
  !example.test(value) &&
  !notKey.test(name.slice(0, -3)) &&
  !notSaid.test(name)

const isAbout = (word: string, said: string, value: string): boolean => {
  const kind = word.replace(/(?:keys?|tokens?|secrets?)$/i, "")
  if (notKey.test(kind) || /cache|restor|\bpublic|fingerprint|commit/i.test(word)) return false
  // What a name says by itself is another finder's, but for what is written like a digest.
  if (assigned.test(said)) return isHex(value) && (/^[\dA-F]+$/.test(value) || named.test(word))
  if (!isHex(value)) return true
  return qualified.test(word) || verb.test(said) || qualifiedBehind.test(said)
}

/** `publickey`, `cache key`: by far the most of all in logs. */
const isPublicOrCache = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1)
  return before === 32
    ? text.charCodeAt(at - 2) === 101 && text.charCodeAt(at - 3) === 104
    : before === 99 && text.charCodeAt(at - 2) === 105
}

/** The key that the word at `at` tells of, if one is told; whether to go on. */
export const keyFrom = (text: string, at: number, hit: Hit): boolean => {
  if (isPublicOrCache(text, at)) return true
  // The dash before the last word of a header's name.
  const found = keyBehind(text, wordEnd(text, text.charCodeAt(at) === 45 ? at + 1 : at))
  if (found === undefined) return true
  return hit(found.start, found.end, tokenKind(text.slice(found.start, found.end)) ?? "key")
}

/** Where a word for a key begins. */
export const wordsOfKeys = signOf(
  ..."key,token,secret,sekret,sleutel,-auth,schlüssel,schluessel,jeton,clé,clave,chave,chiave,klucz,nyckel,ключ,токен,секрет,密钥,密鑰,令牌,トークン,シークレット,秘密鍵,キー,키,토큰".split(
    ","
  )
)

export const findKeysTold = (text: string, hit: Hit): void => {
  for (const at of placesOf(text, wordsOfKeys)) if (!keyFrom(text, at, hit)) return
}
