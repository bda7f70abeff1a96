/** Values that a log shows beside a statement with places for them: `… SET password = ? … [["password", "…"]]`, `VALUES ($1, $2)  -- ["bob", "…"]`. */
import { lowerCaseOf } from "./lowerCase.ts"
import { isNoWord } from "./noWord.ts"
import { looksSecret, secretName } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"

const inserting = /insert into \S{1,80}\s{0,4}\(([^()\n]{1,400})\)\s{0,4}values\s{0,4}\(([^()\n]{1,300})\)/iy
const updating = /update \S{1,80} set ([^\n;]{1,600})/iy
const assignment = /([\w."'\x60\\]{2,60})\s{0,2}=\s{0,2}(\$\d{1,2}|\?|:\w{1,30}|%s|@\w{1,30})/g
/** `[["name", "bob"], ["password", "…"]]` */
const pair = /\[\\*["']([A-Za-z_]\w{2,40})\\*["'],\s?\\*["']([^"'\n\\]{4,200})\\*["']\]/g
/** `$1 = 'bob', $2 = '…'` */
const numbered = /\$(\d{1,2}) = '((?:[^'\n]|''){1,400})'/g
/** A list in brackets, of which each may be a text in quotes. */
const listed =
  /(?:\[|\(|:\s?)((?:\\*["'][^"'\n\\]{0,200}\\*["']|[\w.:-]{1,60})(?:,\s?(?:\\*["'][^"'\n\\]{0,200}\\*["']|[\w.:-]{1,60})){0,30})[\])]/g
const element = /\\*["']([^"'\n\\]{0,200})\\*["']|[\w.:-]{1,60}/g
/** So far around a statement its values may stand. */
const near = 600

const bare = (name: string): string =>
  name
    .replace(/[\\"'\x60\s]/g, "")
    .split(".")
    .at(-1) ?? ""

const offer = (start: number, name: string, value: string, hit: Hit): void => {
  const kind = secretName(name)
  if (kind === undefined || kind === "cookie" || !looksSecret(kind, name, value, "quoted", undefined)) return
  if (kind === "password" ? value.length >= 4 : isNoWord(value))
    hit(start, start + value.length, tokenKind(value) ?? (kind === "random-key" ? "key" : kind))
}

interface Statement {
  /** What each of its places is for. */
  readonly names: readonly string[]
  readonly start: number
  readonly end: number
}

const namesIn = (columns: string, isInsert: boolean): readonly string[] =>
  isInsert
    ? columns.split(",").map(bare)
    : [...columns.matchAll(assignment)].map(([, name = ""]) => bare(name))

const statementsIn = (text: string): readonly Statement[] => {
  const lower = lowerCaseOf(text) ?? text
  return (["insert into ", "update "] as const).flatMap((words) => {
    const found: Statement[] = []
    const pattern = words === "update " ? updating : inserting
    for (let start = lower.indexOf(words); start !== -1; start = lower.indexOf(words, start + words.length)) {
      pattern.lastIndex = start
      const columns = pattern.exec(text)?.[1]
      if (columns === undefined) continue
      const names = namesIn(columns, pattern === inserting)
      if (names.some((name) => secretName(name) !== undefined))
        found.push({ names, start, end: pattern.lastIndex })
    }
    return found
  })
}

export const findBound = (text: string, hit: Hit): void => {
  for (const { end, names, start } of statementsIn(text)) {
    const from = Math.max(0, start - near)
    const around = text.slice(from, end + near)
    for (const found of around.matchAll(numbered)) {
      const value = found[2] as string
      offer(
        from + found.index + found[0].length - value.length - 1,
        names[Number(found[1]) - 1] ?? "",
        value,
        hit
      )
    }
    for (const { 0: whole, 1: name = "", 2: value = "", index } of around.matchAll(pair))
      offer(from + index + whole.lastIndexOf(value), name, value, hit)
    inList(text, end, names, hit)
  }
}

/** The first list behind a statement that has as many elements as it has places. */
const inList = (text: string, end: number, names: readonly string[], hit: Hit): void => {
  for (const found of text.slice(end, end + near).matchAll(listed)) {
    const elements = [...(found[1] as string).matchAll(element)]
    if (elements.length !== names.length) continue
    const at = end + found.index + found[0].indexOf(found[1] as string)
    elements.forEach(({ 0: whole, 1: value, index }, nth) => {
      if (value !== undefined) offer(at + index + whole.indexOf(value), names[nth] ?? "", value, hit)
    })
    return
  }
}
