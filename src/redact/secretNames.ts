/** Which names announce a secret (`password`, `API_KEY`, `client_secret`), and whether what follows one looks like a secret. */

import { isChosenPath, isDotted } from "./dottedWords.ts"
import { foreignName, isForeignName } from "./foreignNames.ts"
import { isMessageOf } from "./messages.ts"
import {
  isKeyOfSection,
  isOtherPass,
  isPairName,
  isPassphrase,
  isQualifiedPass,
  isSeasoning,
  isUserAndPassword,
  keyOfAccount,
  keyOfSection
} from "./moreNames.ts"
import { isPublicValue } from "./publicValues.ts"
import { qualifiedKind, stemEnd } from "./qualifiedNames.ts"

export type SecretName =
  | "password"
  | "secret"
  | "token"
  | "api-key"
  | "aws-secret-key"
  | "authorization"
  | "cookie"
  | "mnemonic"
  | "random-key"

/** How a value stands beside its name; the less a writer meant data, the more the value itself has to show. */
export type Style = "quoted" | "tight" | "loose"

const passwords =
  /(?:password|passwd|passphrase|passcode|pwd|passwort|kennwort|contrasena|motdepasse|senha|palavrapasse|wachtwoord|passord|losenord|adgangskode|salasana|heslo|haslo|parola|lozinka|rediscliauth|requirepass|masterauth|(?:root|bind|user|db|admin|new)pw|wpapsk|secpsk|securitypsk|^psk|mdp|passwords)$/
const notPasswords =
  /^(?:old)?pwd$|(?:forgot|forgotten|reset|show|hide|change|toggle|require|requires|^no|^has|^is|enter|invalid|wrong|incorrect|without)(?:password|passwd|passphrase)$/
const secrets =
  /(?:secret|secrets|secretstring|secretbinary|secretkey|secretkeybase|keydata|keypem|keypassword|totpseed|otpseed)$/
const mnemonics = /(?:mnemonic|(?:seed|recovery|backup|secret|wallet)(?:phrase|words)|walletseed)$/
const cookies = /^(?:set)?cookie$/
const awsSecrets = /secretaccesskey$|awssecret(?:key)?$/
const keys =
  /(?:api|app|access|private|encryption|encrypt|decryption|decrypt|validation|signing|account|master|shared|subscription|auth|deploy|license|service|hmac|aes|jwt|fernet|loggedin|nonce|consumer|unseal|write|preshared|sas|integration|instrumentation|ingest|ingestion|merchant|admin|webhook|server|bot|sendgrid|datadog|stripe|openai|anthropic)keys?$/
const storageKeys = /storagekeys?$/
/** Any other key holds a secret where its value is one that nobody typed, unless it is one of those that look alike. */
const otherKeys = /..keys?$/
const notKeys =
  /(?:public|publishable|applicationserver|pub|foreign|primary|secondary|sort|partition|row|hash|range|cache|object|hot|mon|tur|map|dict|item|list|query|route|routing|lookup|idempotency|dedup|dedupe|translation|message|i18n|react|child|parent|storage|column|field|property|index|unique|composite|natural|surrogate|version|commit|build|store|s3|file|blob|image|asset|group|event|session|topic|trace|correlation|has|is|on|get|set|by|no|the|not|any|each)keys?$/
/** Salts, signatures and credentials: likewise only where the value is none that somebody typed. */
const others = /(?:.salt|signature|^sig|hmac|totp|authident|credential|credentials|creds)$/
const personal = /^[A-Z]{2,20}_SESSION$|(?:^|[^A-Za-z])(?:pat|PAT)$|[a-z]Pat$|^_\w+_session$/
const tokens = /(?:token|tokens|bearer)$/
/** Tokens of text, pages and parsers are no secrets. */
const notTokens =
  /(?:^|.)(?:pad|eos|bos|unk|sep|cls|mask|stop|image|special|page|next|previous|sync|continuation|continue|cancel|cancellation|design|lexer|syntax|start|end|current|last|first|cursor|max|min|per|input|output|prompt|completion|total|reasoning|cached|num|count|budget|stopword|extra|added|model)tokens?$|^tokens$/
const qualified = /.(?:token|bearer)$/
const passWord = /(?:^|[^A-Za-z])(?:pass|PASS|Pass|pw|PW)$|[a-z]Pass$/
/** What stands in every name that any of these knows: to compile this one is all that most new names cost. */
export const nameStems =
  /pass|pw|psk|kennwort|contrasena|senha|woord|senord|adgangsk|salasana|heslo|haslo|parola|lozinka|secret|key|seed|mdp|mnemonic|phrase|words|cookie|token|bearer|auth|pat$|session$|salt|sig|hmac|cred|totp|pepper|login/

/** The two last letters of all names that announce a secret: few others end like these. */
const endings = new Set(
  "rd wd et ey en se ss th er de rt na ha pw sk ts ys ns ta em ed ic ds ie lt re ig ac al ls on at lo la ka ng ry tp nt dp".split(
    " "
  )
)
const pairs = new Uint8Array(32 * 32)
for (const pair of endings) pairs[(pair.charCodeAt(0) & 31) * 32 + (pair.charCodeAt(1) & 31)] = 1

/** Whether two last letters can end a name that announces a secret. */
export const ending = (last: number, before: number): boolean =>
  last > 64 && before > 64 && last < 128 && before < 128 && pairs[(before & 31) * 32 + (last & 31)] === 1

/** Whether the name that ends at `end` may announce a secret: by its own last letters, or by those before what says which of several it is. */
export const mayAnnounce = (text: string, end: number): boolean => {
  if (ending(text.charCodeAt(end), text.charCodeAt(end - 1))) return true
  const stem = stemEnd(text, end)
  return stem > 0 && mayAnnounce(text, stem)
}

/** What agents send with every call and announces nothing: most calls of a hook have no other names to ask about. */
export const everyday: readonly string[] =
  "cwd key mode permission_mode transcript_path agent_transcript_path cursor_version".split(" ")

const isEnglish = /^[\0-\x7f]*$/

/** Names come again and again. */
const known = new Map<string, SecretName | undefined>(everyday.map((name) => [name, undefined]))
const maxKnown = 1000

/** The kind of secret that a key, variable, header or flag of this name holds. */
export const secretName = (name: string): SecretName | undefined => {
  const last = name.charCodeAt(name.length - 1)
  const before = name.charCodeAt(name.length - 2)
  if (last > 127 || before > 127) return foreignName(name)
  if (!mayAnnounce(name, name.length - 1)) return undefined
  let kind = known.get(name)
  if (kind !== undefined || known.has(name)) return kind
  kind = kindOf(name) ?? kindOfStem(name)
  if (known.size >= maxKnown) known.clear()
  if (name.length <= 64) known.set(name, kind)
  return kind
}

const kindOf = (name: string): SecretName | undefined => {
  const plain = name.toLowerCase().replace(/[-_.\s]/g, "")
  if (!nameStems.test(plain)) return isEnglish.test(name) ? undefined : foreignName(name)
  if (passwords.test(plain)) {
    if (!notPasswords.test(plain)) return "password"
    return plain === "pwd" && name !== "PWD" ? "password" : undefined
  }
  if (awsSecrets.test(plain)) return "aws-secret-key"
  if (secrets.test(plain)) return plain.startsWith("checksum/") ? undefined : "secret"
  if (mnemonics.test(plain)) return "mnemonic"
  if (cookies.test(plain)) return "cookie"
  // Git's: the id of a public key; what a browser is given to check who pushes to it.
  if (plain === "usersigningkey" || plain === "applicationserverkey") return undefined
  if (keys.test(plain) || name === "routing_key") return "api-key"
  // A browser's storage has keys that are names, a storage account's is made.
  if (storageKeys.test(plain)) return "random-key"
  if (isSeasoning(name, plain)) return "api-key"
  if (tokens.test(plain)) return notTokens.test(plain) ? undefined : "token"
  if (plain.endsWith("authorization") || plain === "auth" || plain.endsWith("authheader"))
    return "authorization"
  if (passWord.test(name) || isQualifiedPass(plain)) {
    if (isOtherPass(name)) return undefined
    return isQualifiedPass(plain) ? "password" : "token"
  }
  if (personal.test(name)) return "random-key"
  const isOther = others.test(plain) || isPairName(plain)
  return isOther || (otherKeys.test(plain) && !notKeys.test(plain)) ? "random-key" : undefined
}

const kindOfStem = (name: string): SecretName | undefined => {
  const stem = name.slice(0, stemEnd(name, name.length - 1) + 1)
  return qualifiedKind(name, stem, secretName(stem))
}

// Functions, because to make such a set or such patterns costs more than most hook calls have to do with secrets.

/** Words that stand where a secret would, in schemas, types, code, prompts and documentation. */
let knownWords: ReadonlySet<string> | undefined
const words = (): ReadonlySet<string> =>
  (knownWords ??= new Set(
    (
      "string str text char varchar number int integer boolean bool bytes buffer object array any unknown never void " +
      "null nil none undefined true false yes no on off required optional default empty hidden disabled enabled " +
      "password passwd passphrase secret token key auto inherit prompt stdin env file vault ask masked redacted removed " +
      "async await function new return self this type input output value example credential credentials changeme todo " +
      "hashed encrypted confirmed nullable sometimes filled anonymous"
    ).split(" ")
  ))
const placeholder = (): RegExp =>
  /^(?:\$[\w{(]|\$$|%\(|%(?:\d+\$)?[sdvqrx](?!\w)|%\w{1,3}$|%[\dA-F]{2}|\{|<|\[|\(|‹|`|@\w+$|:\w+$|\?|\*+$|[\w-]{0,20}?(?:x{6,}|X{6,})$|x{3,}$|X{3,}$|\.{3}|…|•|change[-_]?(?:me|this|it)$|your[-_ ]?|my[-_]?(?:password|secret|token|api)|process\.env|os\.(?:environ|getenv)|env[.[(]|import\.meta|secrets?\.|vault:|op:\/\/|ref:|file:)/i
/** A variable of Windows. */
const windowsVariable = /^%(?:[A-Z_\d]+|[a-z_\d]+)%/
const identifier = /^[A-Za-z_$][\w$]*$/
const namesASecret = /pass|pwd|secret|token|key/i
const prose = (): RegExp => /^\p{Lu}[\p{L}'’]*[ ,:]/u
/** Of several words: about a password, or one of several words. */
const isMessage = (kind: SecretName, value: string): boolean =>
  kind === "secret" || prose().test(value) ? isMessageOf(value) : false
/** What says of which type a value of YAML is: `!Ref`, `!!str`. */
const yamlTag = /^!{1,2}[A-Za-z][\w:/.-]*$/
/** Of which type a column or a field is: `varchar(255)`, `String!`. */
const sizedType =
  /^(?:\[?(?:string|id|int|float|boolean)!?\]?!?|(?:n?(?:var)?char2?|(?:var)?binary|decimal|numeric|number|\w{0,5}int|string|text|bit|float)\(\d+(?:,\s?\d+)?\))$/i
/** `Blue_Sky-Over`: words that a person joined. */
const joinedWords = /^\p{Lu}\p{Ll}{2,}(?:[_-]\p{Lu}?\p{Ll}{2,}){1,5}$/u
/** What standards, hashes and ciphers are called. */
export const term =
  /^(?:oauth[-_ ]?\d?(?:\.\d)?|utf-?8|base64(?:url)?|sha-?\d+|http[s2]?|rfc\d+|md5|x509|p256|ed25519|[hre]s256|aes-?\d+|argon2\w{0,2}|tls-?\d?(?:\.\d)?)$/i
/** Words that name something, at most with a number behind: `ERR_TOKEN_2`, `read-only-1`. */
const numberedWords = /^[A-Za-z]+(?:[-_][A-Za-z]+)*[-_]?\d{1,2}$/
const numberedSlug = /^[A-Za-z][a-z]+(?:-[A-Za-z][a-z]+)+-\d{1,2}$/
const isNumberedName = (value: string): boolean =>
  numberedSlug.test(value) || (namesASecret.test(value) && numberedWords.test(value))
const path = /^(?:~|\.{0,2}\/|[A-Za-z]:\\)|\.(?:pem|key|crt|json|ya?ml|txt|ts|js|py)$/
const routing = /routing/i
const hexKey = /^(?=.*\d)(?=.*[a-f])[\da-f]{32}$/
const letter = /[A-Za-z]/
/** Without one of these, it is what parts one value from the next. */
const said = /[\p{L}\p{N}]/u
const digit = /[0-9]/
const space = /\s/
const symbol = /[!@#$%^&*?+~]/

const hashed =
  /^(?:[a-f0-9]{7,8}|[a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{64}|[a-f0-9]{128}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i
const isPhrase = /^(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}\.?$/

/** A value that nobody typed and that is no digest, path, version or name. */
export const looksRandom = (value: string): boolean => {
  if (value.length < 16 || hashed.test(value) || !/^[!-~]+$/.test(value) || path.test(value)) return false
  if (/^[a-z]+:\/\/|^sha\d+[-:]|[(){}<>[\]]/i.test(value)) return false
  const digits = value.match(/\d/g)?.length ?? 0
  const letters = value.match(/[A-Za-z]/g)?.length ?? 0
  if (digits < 2 || letters < 4) return false
  // Words, parted by dashes and the like, with a number among them are a name.
  const parts = value.split(/[-_./:]/)
  return !parts.every((part) => /^(?:[A-Za-z]?[a-z]*|[A-Z]*|\d+|v\d+|[a-z]+\d{1,2})$/.test(part))
}

/** The Base64 of `user:password`. */
const isPair = (value: string): boolean => {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value)) return false
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"))
}

const enough = (kind: SecretName, value: string, name: string): boolean => {
  switch (kind) {
    case "password":
    case "secret":
      return !path.test(value) || !/^pwd$/i.test(name)
    case "aws-secret-key":
      return value.length >= 16
    case "token": {
      // A label in its reader's language: `"login.token": "Einmalcode"`.
      if (/token$/i.test(name) && /^\p{Lu}\p{Ll}+$/u.test(value)) return false
      if (space.test(value) || value.length < 6 || path.test(value) || !letter.test(value)) return false
      if (term.test(value) || isNumberedName(value)) return false
      return (
        digit.test(value) || value.length >= 12 || qualified.test(name.toLowerCase().replace(/[-_.]/g, ""))
      )
    }
    case "api-key":
      // A queue's is a name, a pager's is made.
      if (routing.test(name)) return hexKey.test(value)
      return (
        !space.test(value) &&
        value.length >= 6 &&
        !path.test(value) &&
        !isNumberedName(value) &&
        (digit.test(value) || value.length >= 16)
      )
    case "authorization":
      return (value.length >= 8 && !space.test(value) && digit.test(value)) || isPair(value)
    case "random-key":
      if (name === keyOfAccount) return isKeyOfSection(name, value)
      if (name === keyOfSection && isKeyOfSection(name, value)) return true
      return (looksRandom(value) && !/[:/]\$/.test(value)) || isUserAndPassword(name, value)
    case "cookie":
      return !space.test(value) && value.length >= 16 && looksRandom(value.slice(value.indexOf("=") + 1))
    case "mnemonic":
      return isPhrase.test(value) || (value.length >= 32 && !space.test(value))
  }
}

/** A long value that goes from one sort of character to another at every second step: nobody wrote it, whatever it begins with. */
const isNoise = (value: string): boolean => {
  if (value.length < 32 || value.length > 256) return false
  let changes = 0
  let before = 0
  for (let at = 0; at < value.length; at++) {
    const c = value.charCodeAt(at)
    const sort = c > 96 && c < 123 ? 1 : c > 64 && c < 91 ? 2 : c > 47 && c < 58 ? 3 : 4
    if (sort !== before) changes++
    before = sort
  }
  return changes * 2 > value.length && digit.test(value) && symbol.test(value)
}

const kept = "{noop}"

/** A sentence of a language that parts no words: what a form is to say. */
const ownWriting = /^[\u3001-\u30ff\u3400-\u9fff\uff01-\uff5e]{3,}$/
/** Where a value lies. */
const fileHere = /^\.{1,2}\/[\w./-]{1,200}\.[a-z]{1,5}$/

/** Whether a value beside a secret's name is the secret itself and no variable, type, placeholder or sentence. */
export const looksSecret = (
  kind: SecretName,
  name: string,
  value: string,
  style: Style,
  next: string | undefined
): boolean => {
  if (isPublicValue(value)) return false
  // How Spring says that a password is kept as it is.
  if (value.startsWith(kept)) return looksSecret(kind, name, value.slice(kept.length), style, next)
  if (style === "quoted" && kind !== "cookie" && isNoise(value)) return true
  if (value === "" || words().has(value.toLowerCase()) || placeholder().test(value)) return false
  if (value.startsWith("%") && windowsVariable.test(value)) return false
  if (ownWriting.test(value) || fileHere.test(value)) return false
  if (sizedType.test(value) || !said.test(value)) return false
  if (kind === "mnemonic" || kind === "random-key" || kind === "cookie") return enough(kind, value, name)
  if (style === "quoted") {
    if (space.test(value) && ((kind !== "password" && kind !== "secret") || isMessage(kind, value)))
      return isPassphrase(name, value)
    const isWord = identifier.test(value) || isDotted(value)
    if (isWord && namesASecret.test(value) && !digit.test(value) && value.length < 24) return false
    if (!digit.test(value) && isForeignName(value)) return false
    return enough(kind, value, name)
  }
  // A commit, with what it says behind it.
  if (kind === "token" && next === " " && /^[\da-f]{7,12}$/.test(value)) return false
  const made = value.length >= 32 && looksRandom(value)
  const strong = kind === "password" || kind === "secret"
  if (next === "(" || next === "[") return false
  if (!made && isDotted(value))
    return (
      strong && isChosenPath(value, next) && !value.split(".").some((part) => words().has(part.toLowerCase()))
    )
  if (next === " " && yamlTag.test(value)) return false
  if (!made && identifier.test(value) && namesASecret.test(value) && (kind === "token" || !digit.test(value)))
    return false
  const mixed =
    (letter.test(value) && digit.test(value)) || ((strong || passWord.test(name)) && symbol.test(value))
  if (kind === "password" && joinedWords.test(value) && !namesASecret.test(value)) return true
  const ends = next === undefined || next === "\n" || next === "\r" || next === "\\"
  if (!mixed) {
    const numeric = /^\d{4,}$/.test(value)
    if (kind === "password" && numeric) return true
    if (style === "tight") {
      if (!(strong || kind === "aws-secret-key") || next === ")" || next === "," || next === "}") return false
    } else if (!(kind === "password" && ends && /^[a-z]{6,}$/.test(value)) && value.length < 20) return false
    if (style === "loose" && !strong && !digit.test(value)) return false
  }
  return enough(kind, value, name)
}
