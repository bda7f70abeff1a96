/** Files of accounts, a line each, and lines of network devices: `chpasswd`, pgbouncer, postfix, IPsec, SNMP, `password 7 …`. */
import { isNoWord } from "./noWord.ts"
import { looksRandom, looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { matchesNear, type Sign, signOf } from "./signs.ts"

interface Lines {
  readonly sign: Sign
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

/** Each begins with what few texts have, for all are tried on every text worth a closer look. */
const kinds: readonly Lines[] = [
  {
    sign: signOf('" "'),
    pattern: /" "([^"\n\\]{4,256})"(?=\s|$)(?<=(?:^|\n)"[\w.@-]{1,64}" "[^"\n]{4,256}")/g,
    kind: "password",
    judge: isChosen
  },
  {
    sign: signOf(":25", ":465", ":587", ":2525", ":submission", ":smtp"),
    pattern:
      /:(?:25|465|587|2525|submission|smtps?)(?=[ \t\\])(?<=(?:\]|(?:smtp|mail|relay|mx)[\w.-]{3,80}):\w{1,10})(?:[ \t]|\\t){1,20}[\w.+@-]{1,100}:([^\s:"'\\]{6,256})(?=\s|\\[nr]|["']|$)/g,
    kind: "password",
    judge: isGiven
  },
  {
    sign: signOf(": PSK", ": XAUTH"),
    pattern: /: (?:PSK|XAUTH)[ \t]{1,8}(?:\\*"(?=[^"\n\\]{4,256}\\*")|(?=0[sx][\w+/=]{8}))([^"\n\\]{4,256})/g,
    kind: "password",
    judge: (value) => /^0[sx]/.test(value) || isChosen(value)
  },
  {
    sign: signOf(
      "password ",
      "secret ",
      "key ",
      "key-string ",
      "md5 ",
      "ascii ",
      "hex ",
      "password\t",
      "secret\t",
      "key\t",
      "md5\t"
    ),
    pattern:
      /[ \t][04-9](?=[ \t])(?<=\b(?:password|secret|key|key-string|md5|ascii|hex)[ \t].)[ \t]{1,4}([^\s"'\\]{6,256})/g,
    kind: "password",
    judge: isOfDevice
  },
  {
    sign: signOf("community"),
    pattern:
      /community6?(?<=(?:snmp-server |snmp |snmp-agent |\br[ow]|\btrap)community6?)(?: (?:read|write))?[ \t]{1,4}\\*"?([^\s"\\]{6,64})/g,
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
  for (const { judge, kind, pattern, sign } of kinds)
    for (const { at, match } of matchesNear(text, sign, pattern, 400, 600)) {
      const value = match[1] as string
      if (/^[<{‹[*]/.test(value) || !judge(value)) continue
      const start = at + match[0].lastIndexOf(value)
      hit(start, start + value.length, tokenKind(value) ?? kind)
    }
}
