/** Files of accounts, a line each, and lines of network devices: `chpasswd`, pgbouncer, postfix, IPsec, SNMP, `password 7 …`. */
import { isNoWord } from "./proseSecrets.ts"
import { looksRandom, looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

interface Lines {
  /** Without one of them, the pattern is not tried. */
  readonly signs: readonly string[]
  readonly pattern: RegExp
  readonly kind: string
  readonly judge: (value: string) => boolean
}

const isChosen = (value: string): boolean =>
  looksSecret("password", "password", value, "quoted", undefined) &&
  !/^(?:md5[\da-f]{32}$|SCRAM-|\$)/.test(value)
const isGiven = (value: string): boolean => isNoWord(value) || looksRandom(value)

/** Of devices, obscured or as it is: `7 0822455D0A16`, `0 …`. */
const isOfDevice = (value: string): boolean =>
  /^(?:[\dA-F]{2}){4,64}$/i.test(value) || value.startsWith("$") || isNoWord(value)

const kinds: readonly Lines[] = [
  {
    signs: ['" "'],
    pattern: /(?:^|\n|\\n)\\*"[\w.@-]{1,64}\\*" \\*"([^"\n\\]{4,256})\\*"(?=\s|\\n|$)/g,
    kind: "password",
    judge: isChosen
  },
  {
    signs: [":25", ":465", ":587", ":submission", ":smtp"],
    pattern:
      /(?:^|\s|\\[nt])(?:\[[\w.-]{3,100}\]|(?:smtp|mail|relay|mx|email)[\w.-]{3,100}):(?:25|465|587|2525|submission|smtps?)(?:[ \t]|\\t){1,20}[\w.+@-]{1,100}:([^\s:"'\\]{6,256})(?=\s|\\[nr]|["']|$)/g,
    kind: "password",
    judge: isGiven
  },
  {
    signs: [": PSK", ": XAUTH", ": EAP", ": NTLM"],
    pattern: /: (?:PSK|XAUTH|EAP|NTLM)[ \t]{1,8}\\*"([^"\n\\]{4,256})\\*"/g,
    kind: "password",
    judge: isChosen
  },
  { signs: [": PSK"], pattern: /: PSK[ \t]{1,8}(0[sx][\w+/=]{8,256})/g, kind: "password", judge: () => true },
  {
    signs: [" 7 ", " 5 ", " 0 ", " 8 ", " 9 ", " 4 ", " 6 "],
    pattern:
      /\b(?:password|secret|key|key-string|md5|ascii|hex)[ \t](?:0|[4-9])[ \t]{1,4}([^\s"'\\]{6,256})/g,
    kind: "password",
    judge: isOfDevice
  },
  {
    signs: ["community"],
    pattern:
      /\b(?:snmp-server (?:community|host \S{1,60}(?: version \w{1,3})?)|r[ow]community6?|trapcommunity|snmp community|snmp-agent community (?:read|write))[ \t]{1,4}\\*"?([^\s"\\]{6,64})/g,
    kind: "password",
    judge: isGiven
  }
]

/** One of a list: in a diff, too. */
const account =
  /(?:\r?\n|\\n)[ \t]{0,60}(?:[-+|>│][ \t]{1,40}){0,2}["']?[a-z_][\w.-]{0,31}:([^\s:"'\\]{4,128})["']?[ \t]{0,4}(?=\r|\n|\\n|"|'|$)/y
/** What may stand around them. */
const around =
  /(?:\r?\n|\\n)[ \t]{0,60}(?:[-+|>│][ \t]{1,40}){0,2}(?:(?:list|expire|users):[^\n\\]{0,20}|["']?[a-z_][\w.-]{0,31}:[A-Z]{1,10}["']?|)(?=\r|\n|\\n|$)/y
const mostLines = 100
const restOfLine = /[^\n\\]{0,200}/y

/** Those that `chpasswd` at `at` is given on the lines behind it. */
const inList = (text: string, at: number, hit: Hit): void => {
  restOfLine.lastIndex = at
  let end = restOfLine.test(text) ? restOfLine.lastIndex : at
  for (let nth = 0; nth < mostLines; nth++) {
    around.lastIndex = end
    if (around.test(text)) {
      end = around.lastIndex
      continue
    }
    account.lastIndex = end
    const value = account.exec(text)?.[1]
    if (value === undefined) return
    const start = end + text.slice(end, account.lastIndex).lastIndexOf(`:${value}`) + 1
    end = account.lastIndex
    if (looksSecret("password", "password", value, "loose", undefined))
      hit(start, start + value.length, "password")
  }
}

const command = "chpasswd"

export const findInAccounts = (text: string, hit: Hit): void => {
  for (let at = text.indexOf(command); at !== -1; at = text.indexOf(command, at + 1))
    inList(text, at + command.length, hit)
  for (const { judge, kind, pattern, signs } of kinds) {
    if (!signs.some((sign) => text.includes(sign))) continue
    for (const found of text.matchAll(pattern)) {
      const value = found[1] as string
      if (/^[<{‹[*]/.test(value) || !judge(value)) continue
      const start = found.index + found[0].lastIndexOf(value)
      hit(start, start + value.length, tokenKind(value) ?? kind)
    }
  }
}
