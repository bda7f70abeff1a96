/** Values behind names that say little elsewhere: `PWD = "…"` in code, `option key '…'` of a router, `switch_pass: …` of a play. */
import { isOtherPass } from "./moreNames.ts"
import { looksRandom, looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { placesOf, signOf } from "./signs.ts"
import { isLetter } from "./words.ts"

interface Form {
  /** What stands before the value, from the name on. */
  readonly name: RegExp
  /** From the name's end on; the secret is its only group. */
  readonly pattern: RegExp
  readonly judge: (value: string) => boolean
}

const isValue = (value: string): boolean => looksSecret("password", "password", value, "quoted", undefined)
const isPath = (value: string): boolean => /^[~.]{0,2}\/|^[A-Za-z]:\\|\/.*\/|\$/.test(value)
const isChosen = (value: string): boolean =>
  /[\d!@#$%^&*+~?-]|\p{Ll}\p{Lu}/u.test(value) && !isPath(value) && isValue(value)

/** Nobody typed it, also where it is written like a digest. */
const isMade = (value: string): boolean =>
  looksRandom(value) ||
  /^(?=.*\d)(?=.*[a-f])(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{48}|[\da-f]{64})$/i.test(value)

const forms: readonly Form[] = [
  {
    // A shell's working directory has no blank before the sign.
    name: /(?<![A-Za-z\d$])(?:[A-Z\d]{1,20}_)?PWD$/,
    pattern: /[ \t]{1,12}:?=[ \t]{0,4}\\*["'`]([^"'`\s\\]{5,128})(?=\\*["'`])/y,
    judge: (value) => !isPath(value) && isValue(value)
  },
  {
    name: /(?:^|\s|\\[nt]|set )option[ \t]{1,4}(?:key|psk|sae_password|auth_secret|secret|private_key|preshared_key|password)$/,
    pattern: /[ \t]{1,8}\\*['"]([^'"\n\\]{6,128})(?=\\*['"])/y,
    judge: (value) => !isPath(value) && isValue(value)
  },
  {
    // The rest of the line, whatever ends a value elsewhere.
    name: /(?:^|[\s"']|\\n)(?:- )?["']?\w{1,40}_pass$/,
    pattern: /["']?:[ \t]{1,4}["']?([^\s"'#{[<‹$!*\\][^\s"'\\]{5,128})["']?[ \t]{0,4}(?=\r|\n|\\[nr]|#|$)/y,
    judge: isChosen
  },
  {
    // What a service is called with: `TwilioAuth = "…"`.
    name: /[A-Za-z\d]Auth$|_AUTH$|_auth$/,
    pattern: /["'\]\\]{0,4}\s?[:=]{1,2}\s?\\*["'`]([\w+/=.-]{20,256})(?=\\*["'`])/y,
    judge: isMade
  },
  {
    // What a file holds that has a secret alone, beside its name.
    name: /["'](?:[\w./~-]{0,60}[/])?[\w-]{0,40}\.key$/,
    pattern:
      /\\*["']\s?,\s{0,8}\\*["'](?:text|contents?|data|body)\\*["']\s?:\s?\\*["']([\w+/=-]{20,256})(?=(?:\\+n)?\\*["'])/y,
    judge: isMade
  },
  {
    // Base32 that one-time codes are made of.
    name: /(?:^|[^A-Za-z\d]|\\[nrt])(?:[A-Za-z]{1,16}_)?(?:SEED|[Ss]eed)$|[a-z]Seed$/,
    pattern:
      /["'\]\\]{0,4}\s?[:=]{1,2}\s?\\*["'`]?((?=[A-Z]{0,30}[2-7])(?=[2-7]{0,8}[A-Z])[A-Z2-7]{16,64}={0,6})(?![\w-])/y,
    judge: () => true
  },
  {
    // A key in another language: `CLE_METEO='…'`.
    name: /(?:^|[^A-Za-z\d]|\\[nrt])(?:[A-Za-z]{1,16}_)?(?:cle|clave|chave|chiave|klucz|klic|sleutel|nyckel|noegle|nokkel|schluessel|jeton|sifre|anahtar|kljuc|avain)(?:_\w{1,30})?$/i,
    pattern: /["'\]\\]{0,4}\s?[:=]{1,2}\s?\\*["'`]?([\w+/=.-]{20,256})(?![\w+/=.-])/y,
    judge: isMade
  },
  {
    // By which a server knows who is logged in.
    name: /(?:^|[^A-Za-z\d.]|\\[nrt])(?:(?:PHP|ASP|J|CF)?SESS(?:ION)?ID\w{0,10}|connect\.sid|sessionid|(?:laravel|ci|symfony|django|rails|_\w{1,20})_session|ASP\.NET_SessionId)$/i,
    pattern: /=([\w.%:+/-]{20,256})(?=[;,\s"'`)&\\]|$)/y,
    judge: (value) =>
      /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-/i.test(value)
  }
]

const before = 64

/** The value behind the word around `at`, if it has one of these forms; whether to go on. */
export const formFrom = (text: string, at: number, hit: Hit): boolean => {
  let end = at
  while (end < at + before && isLetter(text.charCodeAt(end))) end++
  const next = text.charCodeAt(end)
  // A blank, or what ends a name of YAML.
  if (next !== 32 && next !== 9 && next !== 58 && next !== 34 && next !== 39 && next !== 61 && next !== 92)
    return true
  let name: string | undefined
  for (const { judge, name: named, pattern } of forms) {
    pattern.lastIndex = end
    const value = pattern.exec(text)?.[1]
    if (value === undefined) continue
    name ??= text.slice(Math.max(0, end - before), end)
    if (!named.test(name) || isOtherPass(/\w+$/.exec(name)?.[0] ?? "") || !judge(value)) continue
    const start = text.lastIndexOf(value, pattern.lastIndex)
    return hit(start, start + value.length, tokenKind(value) ?? "password")
  }
  return true
}

const sign = signOf(
  "pwd",
  "option key",
  "option psk",
  "option sae_",
  "option auth_",
  "option secret",
  "_pass",
  ...`auth",auth',auth =,auth=,auth:,.key,seed,cle_,clave_,chave_,chiave_,klucz_,klic_,sleutel_,nyckel_,schluessel_,jeton_,sid=,sessionid=,_session=`.split(
    ","
  )
)

export const findStated = (text: string, hit: Hit): void => {
  for (const at of placesOf(text, sign)) {
    const from =
      text.charCodeAt(at) === 95 || text.charCodeAt(at) === 46
        ? at + 1
        : text.startsWith("option", at)
          ? at + 7
          : at
    if (!formFrom(text, from, hit)) return
  }
}
