/** Calls one of whose arguments is a secret by its place: what signs, encrypts, compares or logs in. */
import { argumentsOf, literalsIn, type Span } from "./callArguments.ts"
import { escapeBefore } from "./escapes.ts"
import { isMessageOf } from "./messages.ts"
import { isNoWord } from "./noWord.ts"
import { looksRandom, looksSecret, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { isLetter } from "./words.ts"

/** `key`: signs or encrypts; `password`: a user's; `login`: the same of calls that do nothing else; `same`: what a value has to be. */
type Sort = "key" | "password" | "login" | "same"

interface Call {
  readonly sort: Sort
  /** Which of the arguments, counted from 0. */
  readonly places: readonly number[]
  /** What stands before its last name, where that is no name of such calls alone. */
  readonly before: RegExp | undefined
}

/** One line each: the last names of the calls, the places, and what stands before. `.`: any of the arguments. */
const table: Readonly<Record<Sort, string>> = {
  key: String.raw`
newcookiestore,securecookie,cookieparser,cookiesession,fernet 0,1
newfilesystemstore 1,2
newstore 0,4 (?:cookie|memstore|redis|sessions?)\.$
new 0 (?:AES|Fernet|Encryptor|Verifier|Blowfish|DES3?|ChaCha20\w*|Salsa20|ARC4|Box|SecretBox)\.$|hmac\.new$|securecookie\.$
new 1 hmac\.New$|securecookie\.$
protect 0 csrf\.$
from 0 (?:\b|\\[nrt])Key::$
from_secret,from_base64_secret,from_hex_secret 0
sign,signasync,verify,verifyasync,encode,decode 1,2 (?:jwt|jsonwebtoken|jose|JWT)(?:\.|::|->)$|\bJWT\w{0,10}(?:\.|::|->)$
create 1 Signer\.$
signwith 0,1
setsigningkey,hmacshakeyfor,signedstring,secretkeyspec,symmetricsecuritykey,hmac256,hmac384,hmac512 0
hmacsha1,hmacsha256,hmacsha384,hmacsha512,hmacmd5 0
createhmac,createcipheriv,createdecipheriv 1
hash_hmac,openssl_encrypt,openssl_decrypt 2
hexdigest,digest,base64digest 1 HMAC\.$
newcipher 0 (?:aes|des|rc4|blowfish)\.$
encrypt,decrypt 1 (?:AES|DES|TripleDES|RC4|Rabbit|Blowfish|CryptoJS\.\w{1,12})\.$
bearer_auth,bearerauth 0
urlsafetimedserializer,urlsafeserializer,timedserializer,timestampsigner 0
`,
  password: String.raw`
mysqli,mysql_connect,mysqli_connect,mysql_pconnect,pdo,ldap_bind,ftp_login,plainauth 2
connect 2,3 (?:DBI->|mysql\.|pymysql\.|MySQLdb\.|mariadb\.|ssh\.|client\.|sftp\.|conn\.|ftp\.)$
setbasicauth,basic_auth,httpbasic,simple_bind_s,simple_bind,plaintextauthprovider,connectionfactory 1
basic 1 (?:Auth|auth|AuthTokens|Credentials|http|HttpAuth\w{0,10}|\))\.$
auth 1 \.$
auth 0 (?:redis|client|conn|jedis|\br|request|req|agent|api|http|\))(?:\.|->)$
login 1 (?:smtp|server|imap|ftp|mail|session|client|conn|\bs|\bM|box|nntp|pop)\w{0,12}\.$
open 2 FTP\.$
`,
  login: `
setbasicauth,basic_auth,httpbasicauth,networkcredential,usernamepasswordcredentials,usernamepasswordcredential 1
ldap_bind,mysqli,mysqli_connect 2
`,
  same: `
secure_compare,compare_digest,hash_equals,timingsafeequal,constanttimecompare,fixed_length_secure_compare,consttimeeq 0,1
`
}

interface Table {
  readonly calls: ReadonlyMap<string, readonly Call[]>
  /** By the two last letters of a name, which lengths such names have: most calls in a text have another. */
  readonly lengths: Uint32Array
}

const pairOf = (before: number, last: number): number => ((before & 31) << 5) | (last & 31)

let made: Table | undefined
const makeTable = (): Table => {
  const calls = new Map<string, Call[]>()
  const lengths = new Uint32Array(1024)
  for (const [sort, lines] of Object.entries(table))
    for (const line of lines.trim().split("\n")) {
      const [names = "", places = "", before] = line.split(" ")
      const call: Call = {
        sort: sort as Sort,
        places: places.split(",").map(Number),
        before: before === undefined ? undefined : new RegExp(before)
      }
      for (const name of names.split(",")) {
        calls.set(name, [...(calls.get(name) ?? []), call])
        const pair = pairOf(name.charCodeAt(name.length - 2), name.charCodeAt(name.length - 1))
        lengths[pair] = (lengths[pair] as number) | (1 << name.length)
      }
    }
  return { calls, lengths }
}

const longestName = 31

/** What looks like a region, a digest's or a cipher's name, an address or a path is none of these. */
const named =
  /^(?:sha-?\d{1,3}(?:[-/]\d{3})?|md5|(?:aes|aria|camellia)[-_]?\d{3}[-_]?\w{0,10}|des(?:[-_]\w{1,8}){0,2}|[herp]s\d{3}|ed25519|utf-?\d{1,2}|https?:.*|[a-z]{2}-[a-z]+-\d|[\w.+-]+@[\w.-]+|\.{0,2}\/.*|[\w-]+\.(?:com|org|net|io|local|pem|key|json))$/i

const isKey = (value: string): boolean =>
  value.length >= 8 &&
  !/\s/.test(value) &&
  !named.test(value) &&
  looksSecret("secret", "secret", value, "quoted", undefined) &&
  (/\d/.test(value) || /[!@#$%^&*+~]/.test(value) || (value.length >= 32 && looksRandom(value)))

const isPassword = (value: string): boolean =>
  value.length >= 6 &&
  !named.test(value) &&
  looksSecret("password", "password", value, "quoted", undefined) &&
  /[\d!@#$%^&*+~]/.test(value)

/** People choose words as well, and no call but for logging in is given them. */
const isWords = (value: string): boolean =>
  value.length >= 6 &&
  !named.test(value) &&
  looksSecret("password", "password", value, "quoted", undefined) &&
  !isMessageOf(value)

const lastName = /([A-Za-z_]\w*)['"\])]*\s*$/

/** Whether what a value is compared with is called a secret. */
const comparesSecret = (text: string, spans: readonly Span[], value: string): boolean => {
  const kinds = spans.map((span) => secretName(lastName.exec(text.slice(span.start, span.end))?.[1] ?? ""))
  if (
    kinds.some((kind) => kind === "password" || kind === "secret" || kind === "token" || kind === "api-key")
  )
    return isPassword(value)
  return isNoWord(value) && isPassword(value) && value.length >= 16 && looksRandom(value)
}

const judged = (sort: Sort, text: string, spans: readonly Span[], value: string): boolean => {
  if (sort === "same") return comparesSecret(text, spans, value)
  if (sort === "key") return isKey(value)
  if (sort === "login") return spans.length > 1 && isWords(value)
  // A password alone has to show more of itself.
  return isPassword(value) && (spans.length > 1 || (isNoWord(value) && value.length >= 8))
}

/** Receives the secrets among the arguments of the call whose bracket opens at `open`; whether there is one. */
export const secretsOfCall = (text: string, open: number, hit: Hit): boolean => {
  made ??= makeTable()
  const lengths = made.lengths[pairOf(text.charCodeAt(open - 2), text.charCodeAt(open - 1))] as number
  if (lengths === 0) return false
  let start = open
  while (start > 0 && open - start < longestName && isLetter(text.charCodeAt(start - 1))) start--
  const isEscaped = text.charCodeAt(start - 1) === 92
  if (!isEscaped && (lengths & (1 << (open - start))) === 0) return false
  let name = text.slice(start, open)
  let possible = made.calls.get(name.toLowerCase())
  if (possible === undefined && isEscaped) {
    // The letter of an escape before it is none of its name.
    name = name.slice(escapeBefore(text, start, name))
    possible = made.calls.get(name.toLowerCase())
  }
  if (possible === undefined) return false
  const before = text.slice(Math.max(0, start - 40), start)
  let found = false
  let spans: readonly Span[] | undefined
  for (const { before: needed, places, sort } of possible) {
    if (needed !== undefined && !needed.test(before) && !needed.test(before + name)) continue
    spans ??= argumentsOf(text, open)
    for (const place of places) {
      const span = spans[place]
      for (const literal of span === undefined ? [] : literalsIn(text, span)) {
        const value = text.slice(literal.start, literal.end)
        if (!judged(sort, text, spans, value)) continue
        found = true
        hit(
          literal.start,
          literal.end,
          tokenKind(value) ?? (sort === "password" || sort === "login" ? "password" : "key")
        )
      }
    }
  }
  return found
}

/** `"…".toCharArray()`: how Java takes what it may forget. */
const characters = /\\*"([^"\n\\]{6,128})\\*"\s?\.toCharArray\(\)/g
/** Without brackets, as Ruby calls. */
const unbracketed = /\bbasic_auth[ \t]{1,4}[^\s,]{1,60},[ \t]{0,4}\\*["']([^"'\n\\]{6,128})\\*["']/g
/** A user and a password, each compared with what it has to be. */
const compared =
  /\bu\w{0,12}\s?={2,3}\s?\\*["'][^"'\n\\]{1,60}\\*["']\s?(?:&&|and)\s?p\w{0,12}\s?={2,3}\s?\\*["']([^"'\n\\]{6,128})\\*["']/g

const others: readonly (readonly [sign: string, pattern: RegExp])[] = [
  [".toCharArray()", characters],
  ["basic_auth ", unbracketed],
  ["== ", compared]
]

export const findInCalls = (text: string, hit: Hit): void => {
  for (let open = text.indexOf("("); open !== -1; open = text.indexOf("(", open + 1))
    secretsOfCall(text, open, hit)
  for (const [sign, pattern] of others) {
    if (!text.includes(sign)) continue
    for (const found of text.matchAll(pattern)) {
      const value = found[1] as string
      if (!isPassword(value)) continue
      const start = found.index + found[0].lastIndexOf(value)
      hit(start, start + value.length, tokenKind(value) ?? "password")
    }
  }
}
