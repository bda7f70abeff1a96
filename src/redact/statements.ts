/** Statements and forms whose own words announce a secret: SQL, multipart forms, cookie jars, keys in JSON, calls that log in. */
import { looksRandom, looksSecret, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { matchesNear, type Sign, signOf } from "./signs.ts"

interface Statement {
  /** A character that it has in any case, where there is a rare one: to look for that costs next to nothing. */
  readonly has?: string
  /** The pattern is tried around it alone. */
  readonly sign: Sign
  /** So far behind it, where that is far. */
  readonly after?: number
  /** The secret is its last group; the one before it, where there is one, its name. */
  readonly pattern: RegExp
  readonly kind: string
  /** What a value has to be, beyond no placeholder. */
  readonly judge?: (value: string, name: string) => boolean
}

const isMade = (value: string): boolean => looksRandom(value) || /^(?=.*\d)[\da-f]{24,}$/i.test(value)
const isChosen = (value: string): boolean => looksSecret("password", "password", value, "quoted", undefined)
const isMixed = (value: string): boolean =>
  looksSecret("password", "password", value, "loose", undefined) && /[\d!@#$%^&*+~]/.test(value)
const isNamed = (value: string, name: string): boolean => {
  const kind = secretName(name)
  return kind !== undefined && looksSecret(kind, name, value, "quoted", undefined)
}

const statements: readonly Statement[] = [
  {
    sign: signOf("identified"),
    pattern:
      /\bidentified\s{1,8}(?:with\s{1,8}["'\x60]?\w{1,40}["'\x60]?\s{1,8})?(?:by|as)\s{1,8}(?:password\s{1,8})?\\*["']((?:[^"'\n\\]|''){3,256})\\*["']/gi,
    kind: "password",
    judge: isChosen
  },
  {
    sign: signOf(
      "create ",
      "create\t",
      "create\n",
      "alter ",
      "alter\t",
      "alter\n",
      "set password",
      "set\tpassword",
      "set\npassword"
    ),
    pattern:
      /\b(?:(?:create|alter)\s{1,8}(?:role|user|login|group|secret|server|user mapping)\b|set\s(?=password))[^;]{0,240}?\b(?:password|secret)\b(?:\s{1,4}for\s{1,4}[^\s=;]{1,120}(?=[\s=])(?:\s{1,4}to\b)?)?\s{0,4}(?:[=(]\s{0,4})?(?:password\()?N?\\*'((?:[^'\s\\]|''){3,256})\\*'/gi,
    kind: "password",
    judge: isChosen
  },
  {
    // Without quotes, as Oracle takes it.
    sign: signOf("identified"),
    pattern:
      /\b(?:connect\s{1,8}to|(?:create|alter)\s{1,8}(?:user|role))\s{1,8}[^\s;]{1,60}\s{1,8}identified\s{1,8}by\s{1,8}(?!values\b)([A-Za-z][\w$#]{3,60})(?=[\s;\\]|$)/gi,
    kind: "password",
    judge: isChosen
  },
  {
    has: "(",
    sign: signOf("=password(", "= password("),
    pattern: /=\s?password\(\s?\\*["']([^"'\n\\]{3,256})\\*["']\s?\)/gi,
    kind: "password",
    judge: isChosen
  },
  {
    sign: signOf("form-data"),
    after: 3200,
    pattern:
      /form-data;[^\n]{0,80}?\bname=\\*"([\w.[\]-]{2,80})\\*"[^\r\n\\]{0,80}(?:\r?\n|(?:\\r)?\\n)(?:[A-Za-z-]{4,40}:[^\r\n\\]{0,120}(?:\r?\n|(?:\\r)?\\n)){0,4}(?:\r?\n|(?:\\r)?\\n)([^\r\n\\]{4,2048})/gi,
    kind: "form-field",
    judge: isNamed
  },
  {
    // A jar of cookies: domain, flag, path, flag, time, name, value.
    sign: signOf("\ttrue", "\tfalse", "\\ttrue", "\\tfalse"),
    after: 4800,
    pattern:
      /(?:^|\n|\\n)(?:\s|\\t){0,16}(?:#HttpOnly_)?[\w.-]{1,120}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\/[^\s\\]{0,120}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\d{1,12}(?:\t|\\t)([^\s\\]{1,80})(?:\t|\\t)([^\s\\]{8,4096})/g,
    kind: "cookie",
    judge: (value, name) =>
      looksRandom(value) || /sess|sid$|auth|token|csrf|xsrf|jwt|remember|login|key|secret/i.test(name)
  },
  {
    sign: signOf("assword", "asswort"),
    pattern: /assword:?\\*["'][^\n]{0,20}\bsend\b[^\n"'\\{]{0,20}\\*["'{]([^"'\n\\{}]{4,128})/gi,
    kind: "password",
    judge: isMixed
  },
  {
    sign: signOf("securestring"),
    pattern:
      /ConvertTo-SecureString\s{1,4}(?:-(?:String|AsPlainText|Force)\s{1,4}){0,2}\\*["']([^"'\n\\$]{4,256})\\*["']/gi,
    kind: "password",
    judge: isChosen
  },
  {
    has: "(",
    sign: signOf("auth=(", "auth = (", "auth =(", "auth= (", "basicauth(", "digestauth("),
    pattern:
      /(?:\bauth\s?=\s?\(|\b(?:HTTP)?(?:Basic|Digest)Auth\()\s?\\*["'][^"'\n\\]{1,80}\\*["'],\s?\\*["']([^"'\n\\]{4,256})\\*["']/g,
    kind: "password",
    judge: isChosen
  },
  {
    has: "(",
    sign: signOf("getconnection("),
    pattern:
      /getConnection\(\s{0,8}[^\s,][^\n,]{0,200},\s{0,8}\\*["'][^"'\n\\]{1,80}\\*["'],\s{0,8}\\*["']([^"'\n\\]{4,256})\\*["']/g,
    kind: "password",
    judge: isChosen
  },
  {
    has: "WIFI:",
    sign: signOf("wifi:"),
    pattern: /\bWIFI:(?:[TSH]:[^;\n]{0,64};){1,3}P:((?:[^;\\\n]|\\.){4,64});/g,
    kind: "password"
  },
  {
    sign: signOf("auth-user-pass"),
    pattern: /auth-user-pass[^\n\\]{0,80}(?:\n|\\n)[^\n\\]{1,80}(?:\n|\\n)([^\s\\]{4,128})/g,
    kind: "password",
    judge: isMixed
  },
  {
    sign: signOf("username"),
    pattern:
      /["']username\\*["']\s{0,4}:\s{0,4}\\*["'][^"'\n\\]{1,80}\\*["']\s{0,4},\s{0,8}\\*["']key\\*["']\s{0,4}:\s{0,4}\\*["']([\da-f]{32})\\*["']/g,
    kind: "api-key"
  },
  {
    sign: signOf("basicauth"),
    pattern: /basicauth\.users[=:]\s?[\w.-]{1,60}:([^\s"'\x60,$\\]{4,128})/gi,
    kind: "password",
    judge: isMixed
  },
  {
    has: "<",
    sign: signOf("type=password", "type='pass", 'type="pass', "type=\\"),
    pattern:
      /<input\b(?=[^<>]{0,200}type=\\*["']?password)[^<>]{0,200}?\bvalue=\\*["']([^"'<>\\]{4,256})\\*["']/gi,
    kind: "password",
    judge: isMixed
  },
  {
    has: "<",
    sign: signOf("<pass"),
    pattern: /<Pass(?:word)?\s[^<>]{1,60}>([^<>\s]{6,512})<\//gi,
    kind: "password",
    judge: isMixed
  },
  {
    has: "(",
    sign: signOf("wallet("),
    pattern: /\bWallet\(\s?\\*["'](?:0x)?([\da-f]{64})\\*["']/gi,
    kind: "private-key"
  },
  {
    has: "(",
    sign: signOf("algoliasearch(", "cohere."),
    pattern:
      /\b(?:algoliasearch|cohere\.(?:Async)?Client(?:V2)?)\((?:\s?\\*["'][^"'\n\\]{4,40}\\*["'],)?\s?\\*["']([\w-]{24,64})\\*["']/g,
    kind: "api-key",
    judge: isMade
  }
]

const isPlaceholder = (value: string): boolean =>
  /^[$<{‹[%*:?]|\.{3}|^x{3,}$|^(?:your|my|some|the)[-_]/i.test(value)

/** So far around its sign a statement is looked for. */
const before = 400
const reach = 1200

export const findStatements = (text: string, hit: Hit): void => {
  for (const { after = reach, has, sign, pattern, kind, judge } of statements) {
    if (has !== undefined && !text.includes(has)) continue
    for (const { at, match } of matchesNear(text, sign, pattern, before, after)) {
      const value = match.at(-1) as string
      if (isPlaceholder(value) || judge?.(value, match[1] as string) === false) continue
      const start = at + match[0].lastIndexOf(value)
      hit(start, start + value.length, tokenKind(value) ?? kind)
    }
  }
}
