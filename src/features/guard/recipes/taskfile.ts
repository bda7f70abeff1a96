/** Tasks of a Taskfile: the commands of those that are named and of what they depend on. Of YAML only what such files are made of is read. */
import { unknown } from "../script.ts"
import { deepestValue, fillIn, Lines, longestValue, maxRecipes, type RecipeReader } from "./Recipe.ts"
import { below, inBrackets, keyOf, listAt, membersOf, valueOf, yamlLines } from "./yamlLines.ts"

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
  const lines = yamlLines(text)
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
