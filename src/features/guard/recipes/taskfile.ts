/** Tasks of a Taskfile: the commands of those that are named and of what they depend on. Of YAML only what such files are made of is read. */
import { fillIn, Lines, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"

const indentOf = (line: string): number => line.length - line.trimStart().length

/** What stands below a key, without the key's own line. */
const below = (lines: readonly string[], key: string): readonly string[] => {
  const at = lines.findIndex((line) => keyOf(line) === key)
  if (at < 0) return []
  const indent = indentOf(lines[at] as string)
  const end = lines.findIndex((line, place) => place > at && isPast(line, indent))
  return lines.slice(at + 1, end < 0 ? lines.length : end)
}

/** A list may begin as far to the left as its key does. */
const isPast = (line: string, indent: number): boolean =>
  indentOf(line) < indent || (indentOf(line) === indent && !line.trimStart().startsWith("- "))

const keyOf = (line: string): string | undefined => /^\s*["']?([\w:.*-]+?)["']?:(?:\s|$)/.exec(line)?.[1]

const valueOf = (line: string): string =>
  unquoted(line.replace(/^\s*(?:- )?["']?[\w:.*-]+?["']?:(?:\s+|$)/, ""))

const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^'(.*)'$/s, (_, one: string) => one.replaceAll("''", "'"))
    .replace(/^"(.*)"$/s, "$1")

/** The keys right below, each with its own lines. */
const membersOf = (lines: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const [first = ""] = lines
  const indent = indentOf(first)
  const own = lines.flatMap((line, at) => (indentOf(line) === indent ? [at] : []))
  return new Map(
    own.map((at, nth) => [keyOf(lines[at] as string) ?? "", lines.slice(at, own[nth + 1] ?? lines.length)])
  )
}

/** What stands in a list: a command, a block of them, or another task. */
const itemsOf = (lines: readonly string[]): readonly string[] => {
  const items: string[] = []
  for (const line of lines) {
    const [, item] = /^\s*- (.*)$/.exec(line) ?? []
    if (item === undefined) items.push(`${items.pop() ?? ""}\n${line.trim()}`)
    else items.push(/^[|>][+-]?$/.test(item.trim()) ? "" : item)
  }
  return items.map((item) => unquoted(item.replace(/^(?:cmd|defer):\s+(?:[|>][+-]?\n)?/, "")))
}

const inBrackets = (text: string): readonly string[] =>
  /^\[(.*)\]$/
    .exec(text)?.[1]
    ?.split(",")
    .map((one) => unquoted(one)) ?? []

const filled = (line: string, known: ReadonlyMap<string, string>, given: string): string =>
  fillIn(line, /\{\{\s*\.(\w+)\s*\}\}/g, (_, name = "") =>
    name === "CLI_ARGS" ? given : (known.get(name)?.slice(0, longestValue) ?? `\${${name}}`)
  )

export const readTaskfile: RecipeReader = (text, { names, set = [] }, args) => {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line))
  const variables = new Map(below(lines, "vars").map((line) => [keyOf(line) ?? "", valueOf(line)] as const))
  for (const one of set) variables.set(one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1))
  const tasks = membersOf(below(lines, "tasks"))
  const commands = new Lines()
  const given = args.join(" ")
  const seen = new Set<string>()
  const add = (name: string): void => {
    const task = tasks.get(name)
    if (task === undefined || seen.has(name) || seen.size >= maxRecipes || commands.isFull) return
    seen.add(name)
    const [head = "", ...rest] = task
    const inline = [rest.find((line) => keyOf(line) === "deps")].flatMap((line) =>
      line === undefined ? [] : inBrackets(valueOf(line))
    )
    for (const one of [...inline, ...itemsOf(below(rest, "deps"))]) add(one.replace(/^task:\s*/, ""))
    const single = [valueOf(head), ...rest.filter((line) => keyOf(line) === "cmd").map(valueOf)]
    for (const one of [...single, ...itemsOf(below(rest, "cmds"))]) {
      if (commands.isFull) return
      const [, other] = /^task:\s*([\w:.-]+)/.exec(one) ?? []
      if (other === undefined) commands.add(filled(one, variables, given))
      else add(other)
    }
  }
  for (const name of names.length > 0 ? names : ["default"]) add(name)
  return commands.text
}
