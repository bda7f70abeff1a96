/** Arguments as a list of texts: `["--password", "…"]`, `{"command": "mysql", "args": ["-p…"]}`, `spawn("sshpass", ["-p", "…"])`. */
import { commandPassword, isPasswordFlag } from "./commandPasswords.ts"
import { fieldKind } from "./members.ts"
import { isMessageOf } from "./messages.ts"
import { looksRandom, looksSecret, type SecretName, secretName } from "./secretNames.ts"
import type { Hit } from "./secretTokens.ts"

/** The nth text of a list from `start` on is a secret. */
export type FoundArgument = (nth: number, start: number, kind: string) => void

const mostArguments = 100
const header = /^(?:Basic|Bearer|Token|Digest|ApiKey)[ ]+(?=[\w.~+/=-]{8,4096}$)/i
const plainWord = /^[\w./:=@%+,-]+$/

const longFlag = /^--?([A-Za-z][A-Za-z-]{2,40})$/
/** What points to a field of a page. */
const selector = /^[#.[/]|^\w*\[|[@(]|^(?:css|xpath|id|name|label|placeholder)=/

/** Whether what stands behind a name in a list is its secret: people choose several words, too. */
const isGiven = (kind: SecretName, name: string, value: string): boolean => {
  if (value.startsWith("-") || value === "") return false
  if (/\s/.test(value)) return (kind === "password" || kind === "secret") && !isMessageOf(value)
  return looksSecret(kind, name, value, "quoted", undefined)
}

/** The same as a line of a command, each in quotes where it needs some, with where each begins in it. */
const lineOf = (program: string | undefined, texts: readonly string[]) => {
  let line = program === undefined ? "" : program.slice(program.lastIndexOf("/") + 1)
  const starts: number[] = []
  for (const text of texts) {
    const quote = plainWord.test(text) ? "" : text.includes('"') ? "'" : '"'
    line += ` ${quote}`
    starts.push(line.length)
    line += text.replace(/[\\\n"']/g, "_") + quote
  }
  return { line, starts }
}

const inLine = (texts: readonly string[], program: string | undefined, found: FoundArgument): void => {
  if (!texts.some((text) => text.charCodeAt(0) === 45)) return
  const { line, starts } = lineOf(program, texts)
  texts.forEach((text, nth) => {
    const at = starts[nth] as number
    if (text.charCodeAt(0) !== 45 || !isPasswordFlag(line, at)) return
    const password = commandPassword(line, at)
    if (password === undefined) return
    const owner = starts.findLastIndex((start) => start <= password.start)
    found(owner, password.start - (starts[owner] as number), "password")
  })
}

export const secretArguments = (
  texts: readonly string[],
  program: string | undefined,
  found: FoundArgument
): void => {
  if (texts.length === 0 || texts.length > mostArguments) return
  for (let nth = 0; nth + 1 < texts.length; nth++) {
    const text = texts[nth] as string
    const next = texts[nth + 1] as string
    const name = longFlag.exec(text)?.[1]
    const kind = name === undefined ? undefined : secretName(name)
    if (name !== undefined && kind !== undefined && isGiven(kind, name, next)) found(nth + 1, 0, kind)
    if (text.length < 200 && selector.test(text) && !/\s/.test(next)) {
      const field = fieldKind(text)
      if (field !== undefined && isGiven(field, "password", next) && /[\d!@#$%^&*]/.test(next))
        found(nth + 1, 0, field)
    }
  }
  const [name = "", value = ""] = texts
  const kind = texts.length === 2 ? secretName(name) : undefined
  if (
    kind !== undefined &&
    isGiven(kind, name, value) &&
    (looksRandom(value) || /[!@#$%^&*?+~]./.test(value))
  )
    found(1, 0, kind)
  // A header and what it says: `["Authorization", "Basic …"]`.
  const scheme = kind === "authorization" ? header.exec(value)?.[0] : undefined
  if (scheme !== undefined && /\d|=$/.test(value)) found(1, scheme.length, kind as string)
  inLine(texts, program, found)
}

const literal = /(["'`])((?:(?!\1)[^\\\n]|\\.){0,400})\1/y
/** What may stand between two arguments: a comma, a bracket, `.arg(`, on the next line a dash. */
const between =
  /[\s,;&+()[\]{}]{0,60}(?:["'.]?(?:args?|arguments|argument|command|cmd|entrypoint|String|str|to_string|into|from|ArrayList|List|of|asList|Arrays|vec!|new)[\s.,:=()[\]{}"']{0,20}){0,4}/iy
const firstFlag = /["'`]-{1,2}[A-Za-z]/g
/** So far before its first flag a list may begin. */
const near = 300

interface Literal {
  readonly text: string
  readonly start: number
}

/** The literals from `at` on that nothing parts but what parts arguments, and where they end. */
const literalsFrom = (text: string, at: number): { literals: readonly Literal[]; end: number } => {
  const literals: Literal[] = []
  let end = at
  while (literals.length < mostArguments) {
    literal.lastIndex = end
    const found = literal.exec(text)
    if (found === null) break
    literals.push({ text: found[2] as string, start: found.index + 1 })
    between.lastIndex = literal.lastIndex
    end = between.test(text) ? between.lastIndex : literal.lastIndex
  }
  return { literals, end }
}

/** Where the literals begin that lead up to the flag at `flag`: those of its list, and of the call or member before it. */
const listStart = (text: string, flag: number): number => {
  const from = Math.max(text.lastIndexOf("\n", flag - near) + 1, flag - near, 0)
  quoted.lastIndex = from
  for (let found = quoted.exec(text); found !== null && found.index <= flag; found = quoted.exec(text)) {
    const { end } = literalsFrom(text, found.index)
    if (end > flag) return found.index
    quoted.lastIndex = Math.max(end, found.index + 1)
  }
  return flag
}
const quoted = /["'`]/g

/** Receives each secret among the arguments in a text that lists them one by one. */
export const findInLists = (text: string, hit: Hit): void => {
  firstFlag.lastIndex = 0
  for (let found = firstFlag.exec(text); found !== null; found = firstFlag.exec(text)) {
    const { literals, end } = literalsFrom(text, listStart(text, found.index))
    secretArguments(
      literals.map(({ text: one }) => one),
      undefined,
      (nth, from, kind) => {
        const { start, text: one } = literals[nth] as Literal
        hit(start + from, start + one.length, kind)
      }
    )
    firstFlag.lastIndex = Math.max(end, found.index + 3)
  }
}
