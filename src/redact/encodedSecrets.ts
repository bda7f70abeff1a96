/** Secrets that stand in another writing: with escapes, percent signs or entities in them, or in Base64. */
import { findInLists } from "./argumentLists.ts"
import { findAssignments } from "./assignments.ts"
import { findArguments } from "./commandArguments.ts"
import { findDeclared } from "./declarations.ts"
import { findInserted } from "./insertedRows.ts"
import { findOnTopics } from "./onTopics.ts"
import { findInProse } from "./proseSecrets.ts"
import { charactersOf, eachRun } from "./runs.ts"
import { findTokens, type Hit, startsEncoded } from "./secretTokens.ts"
import { findInSessions } from "./shellSessions.ts"
import { findStatements } from "./statements.ts"
import { findStructured } from "./structuredSecrets.ts"
import { findInTables } from "./tables.ts"
import { findUrlSecrets } from "./urlSecrets.ts"

/**
 * A row of backslashes is looked at from its first one alone. The last of these: colour codes as they are and as a program's text
 * writes them, characters that nobody sees, and those that look like another.
 */
const escape =
  /[^\t-\r -\uffff]\[[\d;?]{0,20}[A-Za-z]|(?<!\\)\\+(?:(?:u001[bB]|x1[bB]|033|e)\[[\d;?]{0,20}[A-Za-z]|u00([0-7][0-9a-fA-F])|x([2-7][0-9a-fA-F])|(["'/])|[nrt])|%(?:25)?([2-7][0-9A-Fa-f])|&(quot|apos|amp|lt|gt|nbsp|#(?:\d{2,3}|x[0-9a-fA-F]{2}));|([\u00a0\u00ad\u2000-\u200f\u2018-\u201f\u202f\u205f\u2060\u2500-\u257f\u3000\ufeff\uff01-\uff5e])/g
const entities: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " "
}

/** What a character is for whoever reads it: a blank of another width, a quote, a frame's line, a wide letter, or nothing. */
const plainOf = (character: string): string => {
  const c = character.charCodeAt(0)
  if (c >= 0xff01) return c === 0xfeff ? "" : String.fromCharCode(c - 0xfee0)
  if (c >= 0x2500 && c < 0x2580) return frame(c)
  if (c >= 0x2018 && c <= 0x201f) return c < 0x201c ? "'" : '"'
  return c === 0xad || (c > 0x200a && c < 0x2010) || c === 0x2060 ? "" : " "
}

const uprights = new Set([..."│┃┆┇┊┋║╎╏╿╽"].map((line) => line.charCodeAt(0)))
const levels = new Set([..."─━┄┅┈┉═╌╍"].map((line) => line.charCodeAt(0)))
const frame = (c: number): string => (uprights.has(c) ? "|" : levels.has(c) ? "-" : "+")

const decodedOf = (match: RegExpExecArray): string => {
  const [whole, unicode, hex, plain, percent, entity, other] = match
  if (other !== undefined) return plainOf(other)
  const code = unicode ?? hex ?? percent
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  if (entity !== undefined)
    return entities[entity] ?? String.fromCharCode(Number(entity.replace("#x", "0x").replace("#", "")))
  if (plain !== undefined) return plain
  if (whole.includes("[")) return ""
  return whole.endsWith("n") ? "\n" : whole.endsWith("t") ? "\t" : "\r"
}

const finders = [
  findTokens,
  findUrlSecrets,
  findAssignments,
  findDeclared,
  findStructured,
  findStatements,
  findInTables,
  findInserted,
  findInProse,
  findArguments,
  findInLists,
  findInSessions
]

/** The same text as it reads once decoded; what is found there is told where it stands in the text itself. */
const inDecoded = (text: string, topics: number, hit: Hit): void => {
  let plain = ""
  /** Pairs of where in the decoded text, and where in the text. */
  const places: number[] = [0, 0]
  let last = 0
  escape.lastIndex = 0
  for (let match = escape.exec(text); match !== null; match = escape.exec(text)) {
    plain += text.slice(last, match.index)
    places.push(plain.length, match.index)
    plain += decodedOf(match)
    last = match.index + match[0].length
    places.push(plain.length, last)
  }
  if (last === 0) return
  plain += text.slice(last)
  const original = (at: number, end: boolean): number => {
    let low = 0
    let high = places.length / 2 - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const place = places[middle * 2] as number
      if (end ? place < at : place <= at) low = middle
      else high = middle - 1
    }
    return Math.min(text.length, (places[low * 2 + 1] as number) + at - (places[low * 2] as number))
  }
  const among: Hit = (start, end, kind) => hit(original(start, false), original(end, true), kind)
  for (const find of finders) find(plain, among)
  findOnTopics(plain, topics, among)
}

const base64 = { characters: charactersOf(/[A-Za-z0-9+/_-]/), others: false, shortest: 20 }
const longestBase64 = 65_536
/** What pads it, with nothing behind that belongs to it. */
const padding = /={0,2}(?![A-Za-z0-9+/_=-])/y
const printable = /^[\t\n\r\x20-\x7e]+$/

const announces = /passw|secret|token|api[_-]?key|private key|authorization|pwd|:\/\/[^/\s]*:[^/\s]*@/i

const holdsSecret = (plain: string): boolean => {
  let holds = plain.includes("-----BEGIN ") && plain.includes("PRIVATE KEY")
  const take: Hit = () => {
    holds = true
    return false
  }
  if (!holds) findTokens(plain, take)
  if (!holds && announces.test(plain))
    for (const find of [findUrlSecrets, findAssignments, findStructured]) if (!holds) find(plain, take)
  return holds
}

const inBase64 = (text: string, hit: Hit): void =>
  eachRun(text, base64, (start, runEnd) => {
    if (runEnd - start > longestBase64 || !startsEncoded(text, start)) return
    padding.lastIndex = runEnd
    if (!padding.test(text)) return
    const end = padding.lastIndex
    const plain = Buffer.from(text.slice(start, end), "base64").toString("latin1")
    if (printable.test(plain.slice(0, -2)) && holdsSecret(plain)) hit(start, end, "encoded")
  })

export const findEncoded = (text: string, topics: number, hit: Hit): void => {
  inDecoded(text, topics, hit)
  inBase64(text, hit)
}
