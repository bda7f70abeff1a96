/** Which names announce a secret (`password`, `API_KEY`, `client_secret`), and whether what follows one looks like a secret. */

export type SecretName = "password" | "secret" | "token" | "api-key" | "aws-secret-key" | "authorization"

/** How a value stands beside its name; the less a writer meant data, the more the value itself has to show. */
export type Style = "quoted" | "tight" | "loose"

const passwords = /(?:password|passwd|passphrase|pwd|rediscliauth)$/
const notPasswords =
  /^(?:old)?pwd$|(?:forgot|forgotten|reset|show|hide|change|toggle|require|requires|no|has|is|enter|invalid|wrong|incorrect|without)(?:password|passwd|passphrase)$/
const secrets = /(?:secret|secretkey)$/
const awsSecrets = /secretaccesskey$|awssecret(?:key)?$/
const keys =
  /(?:api|access|private|encryption|signing|account|master|shared|subscription|auth|deploy|license|service)key$/
const tokens = /(?:token|bearer)$/
/** Tokens of text, pages and parsers are no secrets. */
const notTokens =
  /(?:^|.)(?:pad|eos|bos|unk|sep|cls|mask|stop|image|special|page|next|previous|sync|continuation|continue|cancel|cancellation|design|lexer|syntax|start|end|current|last|first|cursor|max|min|per)token$/
const qualified = /.(?:token|bearer)$/
const passWord = /(?:^|[^A-Za-z])(?:pass|PASS|Pass)$|[a-z]Pass$/

/** Whether two last letters can end a name that announces a secret. */
export const ending = (last: number, before: number): boolean => {
  const l = last | 32
  const b = before | 32
  switch (l) {
    case 100: // rd wd
      return b === 114 || b === 119
    case 116: // et
      return b === 101
    case 110: // en on
      return b === 101 || b === 111
    case 121: // ey
      return b === 101
    case 101: // se
      return b === 115
    case 115: // ss
      return b === 115
    case 104: // th
      return b === 116
    case 114: // er
      return b === 101
    default:
      return false
  }
}

/** The kind of secret that a key, variable, header or flag of this name holds. */
export const secretName = (name: string): SecretName | undefined => {
  if (!ending(name.charCodeAt(name.length - 1), name.charCodeAt(name.length - 2))) return undefined
  const plain = name.toLowerCase().replace(/[-_.\s]/g, "")
  if (passwords.test(plain)) {
    if (!notPasswords.test(plain)) return "password"
    return plain === "pwd" && name !== "PWD" ? "password" : undefined
  }
  if (awsSecrets.test(plain)) return "aws-secret-key"
  if (secrets.test(plain)) return "secret"
  if (keys.test(plain)) return "api-key"
  if (tokens.test(plain)) return notTokens.test(plain) ? undefined : "token"
  if (plain.endsWith("authorization") || plain === "auth" || plain.endsWith("authheader"))
    return "authorization"
  return passWord.test(name) ? "token" : undefined
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
      "async await function new return self this type input output value example credential credentials changeme todo"
    ).split(" ")
  ))
const placeholder = (): RegExp =>
  /^(?:\$[\w{(]|\$$|%[\w(]|\{|<|\[|\(|‹|`|@\w+$|:\w+$|\?|\*+$|x{3,}$|X{3,}$|\.{3}|…|•|your[-_ ]?|my[-_]?(?:password|secret|token|api)|process\.env|os\.(?:environ|getenv)|env[.[(]|import\.meta|secrets?\.|vault:|op:\/\/|ref:|file:)/i
const dotted = /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/
const identifier = /^[A-Za-z_$][\w$]*$/
const namesASecret = /pass|pwd|secret|token|key/i
const prose = (): RegExp => /^\p{Lu}[\p{L}'’]*[ ,:]/u
const path = /^(?:~|\.{0,2}\/|[A-Za-z]:\\)|\.(?:pem|key|crt|json|ya?ml|txt|ts|js|py)$/
const letter = /[A-Za-z]/
const digit = /[0-9]/
const space = /\s/
const symbol = /[!@#$%^&*?+~]/

const enough = (kind: SecretName, value: string, name: string): boolean => {
  switch (kind) {
    case "password":
    case "secret":
      return !path.test(value) || !/^pwd$/i.test(name)
    case "aws-secret-key":
      return value.length >= 16
    case "token": {
      if (space.test(value) || value.length < 6 || path.test(value) || !letter.test(value)) return false
      return (
        digit.test(value) || value.length >= 12 || qualified.test(name.toLowerCase().replace(/[-_.]/g, ""))
      )
    }
    case "api-key":
      return (
        !space.test(value) &&
        value.length >= 6 &&
        !path.test(value) &&
        (digit.test(value) || value.length >= 16)
      )
    case "authorization":
      return value.length >= 8 && !space.test(value) && digit.test(value)
  }
}

/** Whether a value beside a secret's name is the secret itself and no variable, type, placeholder or sentence. */
export const looksSecret = (
  kind: SecretName,
  name: string,
  value: string,
  style: Style,
  next: string | undefined
): boolean => {
  if (value === "" || words().has(value.toLowerCase()) || placeholder().test(value)) return false
  if (style === "quoted") {
    if (space.test(value) && (kind !== "password" || prose().test(value))) return false
    if (identifier.test(value) && namesASecret.test(value) && !digit.test(value) && value.length < 24)
      return false
    return enough(kind, value, name)
  }
  if (next === "(" || next === "[" || dotted.test(value)) return false
  if (identifier.test(value) && namesASecret.test(value) && (kind === "token" || !digit.test(value)))
    return false
  const strong = kind === "password" || kind === "secret"
  const mixed = (letter.test(value) && digit.test(value)) || (strong && symbol.test(value))
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
