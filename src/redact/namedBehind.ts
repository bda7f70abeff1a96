/** Literals that something behind or above them names: `"…".equals(password)`, `'…' == token`, `"…" // deployer key`. */
import { looksRandom, looksSecret, type SecretName, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

/** The end of a literal, and what it is compared with. */
const comparedWith =
  /(?:["'] [!=]==? ?|["'][!=]==? ?|["']\.equals\()\$?(?:[A-Za-z_]\w{0,40}(?:\.|->|\[["':]?)){0,3}([A-Za-z_]\w{1,40})/g
/** A remark, and on the line below it perhaps a literal. */
const remarks = /(?:\/\/|#|--)[ \t]{0,2}([^\n"'\x60]{3,80})/g
const below =
  /\r?\n[ \t]{0,40}(?:(?:const|let|var|val|final)?[ \t]{0,4}\w{1,40}[ \t]{0,4}[:=]{1,2}[ \t]{0,4})?[[({]?[ \t]{0,4}["'\x60]([^"'\x60\n\\]{16,256})["'\x60]/y
/** What may stand between a literal and the remark behind it. */
const beforeRemark = /["'\x60][,;)\]]{0,3}[ \t]{1,8}$/
const longestGap = 12

const literal = /["'\x60]([^"'\x60\n\\]{6,256})$/
const longest = 258

/** A remark that says no more than what it is: `deployer key`, `the webhook's secret (staging)`. */
const naming =
  /^(?:[\w'’./-]{1,24} ){0,5}?((?:[A-Za-z]{2,16}[ -])?(?:keys?|secret|token|password|passphrase|pass|pw|credentials?))(?: (?:for|of|from|in|on) [\w .'’/-]{1,40}| ?\([\w .'’/-]{1,40}\))?[ .,;:*/!]{0,4}$/i
const word = /key|secret|token|pass|pw|cred/i
const notNaming =
  /public|cache|primary|foreign|sort|partition|hash of|fingerprint|digest|checksum|commit|expired|revoked|\bid\b|example|fake|dummy|placeholder/i

/** Of what a remark names: made by a machine, also where it is written like a digest. */
const isMade = (kind: SecretName, value: string): boolean =>
  looksRandom(value) ||
  (kind !== "cookie" &&
    /^(?:0x)?(?=.*\d)(?=.*[a-f])(?:[\da-f]{40}|[\da-f]{48}|[\da-f]{64}|[\da-f]{32})$/i.test(value))

const kindNamed = (remark: string): SecretName | undefined => {
  if (!word.test(remark) || notNaming.test(remark)) return undefined
  const name = naming.exec(remark.trim())?.[1]
  return name === undefined ? undefined : secretName(name)
}

const before = (text: string, end: number): string | undefined =>
  literal.exec(text.slice(Math.max(0, end - longest), end))?.[1]

const take = (end: number, value: string, kind: SecretName, hit: Hit): void => {
  hit(end - value.length, end, tokenKind(value) ?? (kind === "random-key" ? "key" : kind))
}

const inComparisons = (text: string, hit: Hit): void => {
  for (const found of text.matchAll(comparedWith)) {
    const name = found[1] as string
    const kind = secretName(name)
    const value = kind === undefined ? undefined : before(text, found.index)
    if (kind === undefined || value === undefined || !/[\d!@#$%^&*+~]/.test(value)) continue
    if (kind !== "password" && !/pass/i.test(name) && !looksRandom(value)) continue
    if (looksSecret(kind, name, value, "quoted", undefined)) take(found.index, value, kind, hit)
  }
}

const inRemarks = (text: string, hit: Hit): void => {
  for (const found of text.matchAll(remarks)) {
    const kind = kindNamed(found[1] as string)
    if (kind === undefined) continue
    const from = Math.max(0, found.index - longestGap)
    const gap = beforeRemark.exec(text.slice(from, found.index))
    const value = gap === null ? undefined : before(text, from + gap.index)
    if (gap !== null && value !== undefined && isMade(kind, value)) take(from + gap.index, value, kind, hit)
    below.lastIndex = found.index + found[0].length
    const next = below.exec(text)?.[1]
    if (next !== undefined && isMade(kind, next)) take(below.lastIndex - 1, next, kind, hit)
  }
}

export const findNamedBehind = (text: string, hit: Hit): void => {
  if (text.includes("==") || text.includes("!=") || text.includes(".equals(")) inComparisons(text, hit)
  if (text.includes("//") || text.includes("# ") || text.includes("-- ")) inRemarks(text, hit)
}
