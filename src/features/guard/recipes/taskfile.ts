/** Tasks of a Taskfile: the commands of those that are named and of what they depend on. Of YAML only what such files are made of is read. */
import { unknown } from "../script.ts"
import { deepestValue, fillIn, Lines, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"

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
  return items.map((item) => unquoted(commandOf(item).replace(/^(?:cmd|defer):\s+(?:[|>][+-]?\n)?/, "")))
}

/** An item of several keys says in one of them what it runs. */
const commandOf = (item: string): string => {
  const lines = item.split("\n")
  const at = lines.findIndex((line) => !/^(?!cmd:|defer:|task:)[\w-]+:(?:\s|$)/.test(line))
  return at > 0 && /^(?:cmd|defer|task):/.test(lines[at] as string) ? lines.slice(at).join("\n") : item
}

const inBrackets = (text: string): readonly string[] =>
  (/^\[(.*)\]$/.exec(text)?.[1]?.match(/'[^']*'|"[^"]*"|[^,\s'"][^,]*/g) ?? []).map(unquoted)

/** What stands behind a key, in brackets or as a list below it. */
const listAt = (lines: readonly string[], key: string): readonly string[] => {
  const line = lines.find((one) => keyOf(one) === key)
  return [...(line === undefined ? [] : inBrackets(valueOf(line))), ...itemsOf(below(lines, key))]
}

type Variables = ReadonlyMap<string, string>

/** Without a value it is made by a command, or of other variables. */
const variablesIn = (lines: readonly string[]): Variables =>
  new Map(
    [...membersOf(lines)].map(([name, [head = ""]]) => {
      const value = valueOf(head)
      return [
        name,
        value === "" || /^(?:\{(?!\{)|[[|>])/.test(value) ? unknown : value.slice(0, longestValue)
      ] as const
    })
  )

const own = /^(?:ROOT_DIR|TASKFILE_DIR|USER_WORKING_DIR)$/

const filled = (line: string, known: Variables, given: string, depth = 0): string =>
  fillIn(line, /\{\{\s*\.(\w+)\s*\}\}/g, (_, name = "") => {
    if (name === "CLI_ARGS") return given
    if (own.test(name)) return "."
    const value = known.get(name)
    if (value === undefined) return `\${${name}}`
    return depth > deepestValue ? unknown : filled(value, known, given, depth + 1).slice(0, longestValue)
  })

type Tasks = ReadonlyMap<string, readonly string[]>

const withAliases = (tasks: Tasks): Tasks =>
  new Map([
    ...[...tasks.values()].flatMap((task) =>
      listAt(task.slice(1), "aliases").map((name) => [name, task] as const)
    ),
    ...tasks
  ])

export const readTaskfile: RecipeReader = (text, { names, set = [] }, args) => {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line))
  const told = new Map(set.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]))
  const variables = new Map([...variablesIn(below(lines, "vars")), ...told])
  const tasks = withAliases(membersOf(below(lines, "tasks")))
  const commands = new Lines()
  const given = args.join(" ")
  const seen = new Set<string>()
  const add = (name: string): void => {
    const task = tasks.get(name)
    if (task === undefined || seen.has(name) || commands.isFull) return
    if (seen.size >= maxRecipes) {
      commands.leaveOut()
      return
    }
    seen.add(name)
    const [head = "", ...rest] = task
    for (const one of listAt(rest, "deps")) add(one.replace(/^\{?\s*task:\s*/, "").replace(/[\s,}].*$/s, ""))
    const inside = new Map([...variables, ...variablesIn(below(rest, "vars")), ...told])
    const value = valueOf(head)
    const direct = value.startsWith("[") ? inBrackets(value) : [value]
    const single = rest.filter((line) => keyOf(line) === "cmd").map(valueOf)
    for (const one of [...direct, ...single, ...listAt(rest, "cmds")]) {
      if (commands.isFull) return
      const [, other] = /^\{?\s*task:\s*([\w:.-]+)/.exec(one) ?? []
      if (other === undefined) commands.add(filled(one, inside, given))
      else add(other)
    }
  }
  for (const name of names.length > 0 ? names : ["default"]) add(name)
  return commands.read
}
