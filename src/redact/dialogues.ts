/** Secrets that a client says to a server line by line, as a terminal or a log shows it: `PASS …`, `a1 LOGIN me …`, `AUTH …`. */
import { isNoWord } from "./noWord.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { matchesNear, type Sign, signOf } from "./signs.ts"

interface Line {
  /** The pattern is tried around it alone. */
  readonly sign: Sign
  /** The secret is its last group that matches. */
  readonly pattern: RegExp
  /** What has to stand near, before or behind it. */
  readonly near?: RegExp
  readonly judge?: (value: string) => boolean
}

/** What a terminal or a log puts before what is typed. */
const prompt = String.raw`(?:^|\n)(?:[^\n]{0,60}?(?:[>$#%:]|<-|->|sent|quote)[ \t]{1,4})?[ \t]{0,8}`
const end = String.raw`[ \t]{0,4}(?=\r|\n|\\r|$)`
const word = String.raw`(?:"([^"\r\n]{3,200})"|([^\s"]{3,200}))`
const isNoPath = (value: string): boolean => !/^[\w.@-]*\/[\w./@-]*$|\.[jt]sx?$|^\(/.test(value)
const isMixed = (value: string): boolean =>
  (isNoWord(value) && !/^\d+(?::\d+)+$/.test(value)) || /^\d{4,}$/.test(value)

const lines: readonly Line[] = [
  {
    // FTP, POP3, IRC.
    sign: signOf("pass ", "pass\t"),
    pattern: new RegExp(String.raw`${prompt}PASS[ \t]{1,4}:?([^\s]{3,200}(?: [^\s]{1,60}){0,3})${end}`, "g"),
    near: /\b(?:USER|NICK|331|230|APOP)\b|\+OK/,
    judge: isNoPath
  },
  {
    sign: signOf("login ", "login\t"),
    pattern: new RegExp(
      String.raw`(?:^|\n|[>:][ \t])[ \t]{0,4}[A-Za-z]{0,4}\d{1,6}[ \t]{1,2}(?:LOGIN|login)[ \t]{1,2}(?:"[^"\n]{1,100}"|[^\s"]{1,100})[ \t]{1,2}${word}${end}`,
      "g"
    )
  },
  {
    // Redis, memcached, Kafka.
    sign: signOf("auth ", "auth\t"),
    pattern: new RegExp(
      String.raw`${prompt}(?:HELLO[ \t]\d[ \t]{1,2})?(?:AUTH|auth)[ \t]{1,2}(?:[\w.-]{1,60}[ \t]{1,2})?${word}${end}`,
      "g"
    ),
    judge: isMixed
  },
  {
    sign: signOf("334 ugfz"),
    pattern:
      /334 UGFzc3dvcmQ6[ \t]{0,4}\r?\n(?:[^\n]{0,20}[>:][ \t]{1,4})?([A-Za-z0-9+/]{4,400}={0,2})(?=\s|$)/g
  },
  {
    sign: signOf("identify"),
    pattern: new RegExp(
      String.raw`\bNickServ\b[ :]{1,3}IDENTIFY[ \t]{1,2}(?:[\w[\]-]{1,40}[ \t]{1,2})?${word}${end}`,
      "gi"
    )
  },
  {
    sign: signOf("oper ", "oper\t"),
    pattern: new RegExp(String.raw`${prompt}\/?OPER[ \t]{1,2}[\w[\]-]{1,40}[ \t]{1,2}${word}${end}`, "gi"),
    judge: isMixed
  },
  {
    // What `netsh wlan show profile key=clear` prints.
    sign: signOf("key content", "sselinhalt", "contenu de la cl"),
    pattern:
      /(?:Key Content|Schl.sselinhalt|Contenu de la cl.)[ \t]{1,20}:[ \t]{1,4}(\S[^\r\n]{3,80}?)[ \t]{0,8}(?=\r|\n|$)/g
  },
  {
    // Words that somebody drew by lot.
    sign: signOf("recovery", "backup", "passphrase"),
    pattern:
      /\b(?:recovery|backup|passphrase)\w{0,10}["']?[ \t]{0,4}[:=][ \t]{0,8}["']?((?:[a-z]{3,10}-){4,11}[a-z]{3,10})(?![\w-])/gi
  }
]

/** So far around a line its dialogue is looked at. */
const around = 400

export const findInDialogues = (text: string, hit: Hit): void => {
  findLines(text, hit)
  if (text.includes("odes") && codes.test(text)) backupCodes(text, hit)
}

const findLines = (text: string, hit: Hit): void => {
  for (const { judge, near, pattern, sign } of lines)
    for (const { at, match } of matchesNear(text, sign, pattern, 120, 800)) {
      const value = match.slice(1).find((group) => group !== undefined) ?? ""
      if (/^[$<{‹[*%]|^\*+$/.test(value) || judge?.(value) === false) continue
      const start = at + match[0].lastIndexOf(value)
      if (near?.test(text.slice(Math.max(0, at - around), start + value.length + around)) === false) continue
      hit(start, start + value.length, tokenKind(value) ?? "password")
    }
}

const codes = /\b(?:backup|recovery|two-factor|2fa|mfa|scratch|emergency)[\w -]{0,24}\bcodes?\b/i
const heading =
  /\b(?:backup|recovery|two-factor|2fa|mfa|scratch|emergency)[\w -]{0,24}\bcodes?\b[^\n]{0,80}\n/gi
const code =
  /(?<![\w-])(?=[a-z-]{0,24}\d)(?=[\d-]{0,24}[a-zA-Z\d])[A-Za-z\d]{4,12}(?:-[A-Za-z\d]{4,12}){0,3}(?![\w-])/g
/** A line that holds codes and no words: with a number, a bullet or a box before each. */
const isOfCodes = (line: string): boolean =>
  /\d/.test(line) && line.replace(code, "").replace(/\b\d{1,2}[.):]|[\s*•·|,[\]"'☐-]/g, "") === ""

/** Codes that log in once each, listed below what says so. */
const backupCodes = (text: string, hit: Hit): void => {
  for (const found of text.matchAll(heading)) {
    let at = found.index + found[0].length
    for (let nth = 0; nth < 20 && at < text.length; nth++) {
      const next = text.indexOf("\n", at)
      const line = text.slice(at, next === -1 ? text.length : next)
      if (line.trim() !== "" && (line.length > 200 || !isOfCodes(line))) break
      for (const one of line.matchAll(code))
        if (one[0].length >= 6) hit(at + one.index, at + one.index + one[0].length, "recovery-code")
      if (next === -1) break
      at = next + 1
    }
  }
}
