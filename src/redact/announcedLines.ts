/** Secrets that a program announces: "A temporary password is generated for …: …", "… the following key:" with the value some lines below. */
import { isNoWord } from "./noWord.ts"
import { isMadeValue } from "./printedValues.ts"
import { looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** What the announcement is about, and no secret itself. */
const aside =
  /^["'`)\]]?[ -](?:hash|polic|require|rules?\b|length|strength|fingerprint|ids?\b|names?\b|files?\b|path|must|should|field|prompt|expir|hint|count|type|manager|version|checksum|digest|format|usage|limit|budget|reset link)|\b(?:by|at|since|until|expires?|from|contain|fingerprint|sha\d*|policy|length)\b/i

const isPassword = (value: string): boolean =>
  !/^(?:[$<{‹[*%@-]|\.{1,2}\/|[a-z]+:\/\/|\d{4}-\d\d)|[:;,]$/i.test(value) &&
  (isMadeValue(value) ||
    /^\d{6,}$/.test(value) ||
    (isNoWord(value) && /[!@#$%^&*=+~?<>]|\d.*[A-Z]|[A-Z].*\d|[a-z]\d.*[a-z]\d/.test(value)))
const isKey = (value: string): boolean => tokenKind(value) !== undefined || isMadeValue(value)
const isAnnounced = (value: string, noun: string): boolean =>
  isPasswordNoun(noun) ? isPassword(value) : isKey(value)
const isPasswordNoun = (noun: string): boolean => /^(?:pass|pw)/i.test(noun)

interface Form {
  /** What it begins with. */
  readonly next: string
  /** What it is said of. */
  readonly noun?: RegExp
  /** What stands before that. */
  readonly before?: RegExp
  /** From the noun's end on; the secret is its only group. */
  readonly pattern: RegExp
  readonly judge: (value: string, noun: string) => boolean
  /** Whether what it is about has to be no secret's length, rules and the like. */
  readonly plain?: true
}

const forms: readonly Form[] = [
  {
    // `Unseal Key 1: …`
    next: " _-#",
    noun: /(?:key|token|secret)$/i,
    pattern:
      /(?:[ _-]shares?|[ _-]shards?)?[ _#-]{0,2}\d{1,2}(?: of \d{1,2})?["'\\]{0,4}[ \t]{0,20}[:=][ \t]{0,8}["'\\]{0,4}([^\s"'\\,]{16,512})/y,
    judge: isMadeValue
  },
  {
    // Of a role or a token, which Vault, Consul and Nomad print.
    next: " _Ii",
    noun: /^secret$/i,
    pattern:
      /[ _]?id\\{0,4}["']?[ \t]{0,30}[:=]?[ \t]{0,40}\\{0,4}["']?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])/iy,
    judge: () => true
  },
  {
    // Of kubeadm: an id and a secret.
    next: " =",
    noun: /^token$/i,
    before: /--$/,
    pattern: /(?:[ \t]{1,4}|=)["'\\]{0,2}([a-z\d]{6}\.[a-z\d]{16})(?![\w.-])/y,
    judge: (value) => /\d/.test(value)
  },
  {
    next: " ",
    noun: /^TOKEN$/,
    pattern: /[ \t]{2,40}TTL[^\n]{0,80}\r?\n([a-z\d]{6}\.[a-z\d]{16})(?= )/y,
    judge: (value) => /\d/.test(value)
  },
  {
    // What Redis answers to `CONFIG GET`.
    next: '"',
    noun: /^(?:requirepass|masterauth)$/,
    pattern: /"[ \t]*\r?\n[ \t]{0,8}\d{1,3}\) "([^"\n]{4,512})"/y,
    judge: (value) => looksSecret("password", "password", value, "quoted", undefined)
  },
  {
    // What resets a password of Elasticsearch.
    next: " ",
    noun: /^password$/i,
    pattern: /[^\n]{0,120}\breset\b[^\n]{0,20}\r?\nNew value: (\S{8,200})[ \t]*(?=\r?\n|$)/y,
    judge: isNoWord
  },
  {
    // What a mail service makes for a program.
    next: " :\n",
    noun: /^pass/i,
    before: /app(?:lication)?[ -](?:specific[ -])?$/i,
    pattern: /[^\n:]{0,60}[:\n][ \t\n]{0,8}((?:[a-z]{4} ){3}[a-z]{4}|(?:[a-z]{4}-){3}[a-z]{4})(?![\w-])/y,
    judge: () => true
  },
  {
    // On the next line or the one after it, alone.
    next: " :,)\"'`]*\n",
    pattern:
      /[^\n:]{0,160}:[ \t*]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t>│|*$]{0,12}([^\s"'\x60│|]{8,512})[ \t*│|]{0,40}(?=\r?\n|$)/y,
    judge: isAnnounced,
    plain: true
  },
  {
    // At the end of the line that says whose it is.
    next: " \"'`)]",
    noun: /^(?:pass|pw)/i,
    pattern:
      /["'\x60)\]]?[ \t](?=[^\n:]{0,40}\b(?:generated|created|set|reset|assigned|for|to)\b)[^\n:]{1,80}:[ \t]{1,4}([^\s"']{6,512})[ \t*]{0,40}(?=\r?\n|$)/y,
    judge: isPassword,
    plain: true
  },
  {
    // `PASSWORD elastic = …`
    next: " ",
    pattern: /[ \t]["']?[\w./@-]{1,60}["']?[ \t]=[ \t]([^\s"']{6,512})[ \t]{0,8}(?=\r?\n|$)/y,
    judge: isAnnounced,
    plain: true
  }
]

/** Where cloud-init is told whose password is what. */
const list =
  /:[ \t]*\r?\n(?:[^\n]{0,120}\n){0,3}?[^\n]{0,40}\blist:[ \t]*[|>]?[-+]?[ \t]*\r?\n((?:[^\n]{0,200}(?:\n|$)){1,12})/y
const member = /^[ \t+~-]{0,24}(?:- )?["']?[\w.-]{1,40}:([^\s"']{4,256})["']?[ \t]*$/gm

const inList = (text: string, end: number, hit: Hit): number => {
  list.lastIndex = end
  const lines = list.exec(text)?.[1]
  if (lines === undefined) return 0
  const at = list.lastIndex - lines.length
  for (const line of lines.matchAll(member)) {
    const value = line[1] as string
    if (/^(?:[$<{‹[*%|>]|RANDOM$|R$)/.test(value)) continue
    const start = at + line.index + line[0].lastIndexOf(value)
    hit(start, start + value.length, tokenKind(value) ?? "password")
  }
  return list.lastIndex
}

/** The secret that the noun from `at` to `end` announces, if one does; returns where it ends. */
export const announcedAt = (text: string, at: number, end: number, hit: Hit): number => {
  const next = text.charAt(end)
  if (next === ":" && text.startsWith("ch", at - 2)) return inList(text, end, hit)
  const noun = text.slice(at, end)
  let isAside: boolean | undefined
  for (const { before, judge, next: begins, noun: of, pattern, plain } of forms) {
    if (!begins.includes(next) || of?.test(noun) === false) continue
    if (before?.test(text.slice(Math.max(0, at - 24), at)) === false) continue
    if (plain) isAside ??= aside.test(text.slice(end, end + 48).split(/[:\n]/)[0] as string)
    if (plain && isAside) continue
    pattern.lastIndex = end
    const found = pattern.exec(text)
    const value = found?.[1]
    if (found === null || value === undefined || !judge(value, noun)) continue
    const start = end + found[0].lastIndexOf(value)
    hit(start, start + value.length, tokenKind(value) ?? (isPasswordNoun(noun) ? "password" : "key"))
    return start + value.length
  }
  return 0
}
