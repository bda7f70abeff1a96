/** Calls and addresses that take a user and a password by their place: `new Credentials("me", "…")`, `smtp.login("me", "…")`, `me/…@host:1521/x`. */

import { isNoWord } from "./noWord.ts"
import { looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { matchesNear, type Sign, signOf } from "./signs.ts"

interface Login {
  /** The pattern is tried around it alone. */
  readonly sign: Sign | RegExp
  /** The secret is its only group. */
  readonly pattern: RegExp
  readonly kind: string
  readonly judge?: (value: string) => boolean
}

const string = String.raw`(?:[@$bBrRuUfL]{0,2}\\*["'\x60](?:[^"'\x60\n\\]|\\.){0,200}\\*["'\x60])`
const argument = String.raw`(?:${string}|[^"'\x60\n(),]{1,80}(?:\([^()\n]{0,40}\))?)\s{0,4},\s{0,12}`
const last = String.raw`[@$bBrRuUfL]{0,2}\\*["'\x60]((?:[^"'\x60\n\\]|\\(?!["'\x60])[^\n]){4,256})\\*["'\x60]`

const region = /^[a-z]{2}-[a-z]+-\d$/
const isGiven = (value: string): boolean =>
  looksSecret("password", "password", value, "quoted", undefined) &&
  /[\d!@#$%^&*+~]/.test(value) &&
  !region.test(value)

const logins: readonly Login[] = [
  {
    sign: signOf("credential", "passwordauth", "basicauth", "digestauth", "ntlmauth", "authenticationtoken"),
    pattern: new RegExp(
      String.raw`(?:\w{0,40}Credentials?|PasswordAuthentication|\w{0,20}(?:Basic|basic|Digest|Ntlm|NTLM)Auth\w{0,20}|\w{0,40}AuthenticationToken)(?:\.\w{1,20})?\(\s{0,12}(?:${argument}){1,4}${last}`,
      "g"
    ),
    kind: "password",
    judge: isGiven
  },
  {
    sign: signOf("login(", "authenticate(", "bind(", "bind_s(", "signin"),
    pattern: new RegExp(
      String.raw`(?<!logger|log|console)\.(?:login|authenticate|(?:simple_)?bind(?:_s)?|signIn\w{0,30})\(\s{0,8}(?:${string}|[\w.]{1,40})\s{0,4},\s{0,8}${last}`,
      "g"
    ),
    kind: "password",
    judge: (value) => isGiven(value) && value.length >= 6 && !/\s/.test(value)
  },
  {
    // Connections whose third argument it is.
    sign: signOf("pdo(", "connect(", "mysqli(", "ftp_login", "ldap_bind", "imap_open"),
    pattern: new RegExp(
      String.raw`(?:\bnew PDO|\bmysqli|\b(?:mysqli|mysql|odbc|oci|ibase|sqlsrv|mssql)_p?connect|\bftp_login|\bldap_bind|\bimap_open|\bDBI->connect)\(\s{0,8}(?:${argument}){2}${last}`,
      "g"
    ),
    kind: "password",
    judge: isGiven
  },
  {
    sign: signOf('"AC', "'AC"),
    pattern: /\(\s{0,8}\\*["']AC[0-9a-f]{32}\\*["'],\s{0,8}\\*["']([0-9a-f]{32})\\*["']/g,
    kind: "twilio-token"
  },
  {
    // How Go's drivers write it.
    sign: signOf("@tcp(", "@unix(", "@udp("),
    pattern: /(?<![\w/])[\w.-]{1,60}:([^\s"'`]{3,128})@(?:tcp|unix|udp)\(/g,
    kind: "url-password"
  },
  {
    sign: signOf(
      "oracle:",
      "sqlplus",
      "sqlldr",
      "expdp",
      "impdp",
      "exp ",
      "exp\t",
      "imp ",
      "imp\t",
      "rman",
      "connect("
    ),
    pattern:
      /(?:\bjdbc:oracle:\w{1,8}:|\b(?:sqlplus|sqlldr|expdp|impdp|exp|imp|rman target)[ \t]{1,4}(?:-\w{1,4}[ \t]{1,4}){0,3}|connect\(\s?\\*["'])\\*["']?[A-Za-z][\w$#]{1,40}\/\\*["']?([^\s"'/@\\][^\s"'@\\]{2,128})\\*["']?@/gi,
    kind: "password"
  },
  {
    sign: /@[\w.-]{1,100}:\d{4}\//g,
    pattern: /(?<![\w./@-])[A-Za-z][\w$#]{1,40}\/([^\s"'/@\\]{4,128})@[\w.-]{1,100}:\d{4}\/\w/g,
    kind: "password",
    judge: isNoWord
  }
]

/** So far around its sign a login is looked for. */
const before = 300
const after = 1500

export const findLogins = (text: string, hit: Hit): void => {
  for (const { judge, kind, pattern, sign } of logins)
    for (const { at, match } of matchesNear(text, sign, pattern, before, after)) {
      const value = match[1] as string
      if (/^[$<{‹[*%:]|^(?:your|my|some|the)[-_]/i.test(value) || judge?.(value) === false) continue
      const start = at + match[0].lastIndexOf(value)
      hit(start, start + value.length, tokenKind(value) ?? kind)
    }
}
