/** Tasks of a Taskfile: the commands of those that are named and of what they depend on. Of YAML only what such files are made of is read. */
import { shellWord } from "../../../state/shellWord.ts"
import { unknown } from "../script.ts"
import type { IncludedTasks } from "./includedTasks.ts"
import { isObject } from "./jsonMember.ts"
import { looseJson } from "./looseJson.ts"
import {
  deepestValue,
  fillIn,
  Lines,
  longestValue,
  maxRecipes,
  type Recipe,
  type RecipeText
} from "./Recipe.ts"
import {
  below,
  inBrackets,
  itemsOf,
  keyOf,
  listAt,
  membersOf,
  unquoted,
  valueOf,
  type YamlLines,
  yamlLines
} from "./yamlLines.ts"

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

/** A task with what its own file says around it. */
interface Task {
  readonly lines: YamlLines
  readonly variables: Variables
  /** What tasks of its file have before their names. */
  readonly namespace: string
  readonly folder: string | undefined
}

type Tasks = Map<string, Task>

/** Under each of the names that its file has. */
const addTasks = (
  tasks: Tasks,
  lines: YamlLines,
  namespaces: readonly string[],
  folder: string | undefined
): void => {
  const variables = new Map([...variablesIn(below(lines, "vars")), ...variablesIn(below(lines, "env"))])
  for (const [name, own] of membersOf(below(lines, "tasks"))) {
    const names = [...listAt(own.slice(1), "aliases"), name]
    for (const namespace of namespaces)
      for (const one of names) {
        const called = namespace === "" ? one : `${namespace}:${one}`
        if (!tasks.has(called) || one === name)
          tasks.set(called, { lines: own, variables, namespace, folder })
      }
  }
}

const tasksIn = (lines: YamlLines, included: readonly IncludedTasks[]): Tasks => {
  const tasks: Tasks = new Map()
  for (const { folder, names, text } of included)
    if (text !== undefined) addTasks(tasks, yamlLines(text), names, folder)
  addTasks(tasks, lines, [""], undefined)
  return tasks
}

/** `w:*` is started by each name that fits. */
const fitting = (tasks: Tasks, name: string): Task | undefined => {
  for (const [pattern, task] of tasks) {
    const [before = "", ...parts] = pattern.split("*")
    const behind = parts.at(-1) ?? ""
    if (parts.length > 0 && name.startsWith(before) && name.endsWith(behind)) return task
  }
  return undefined
}

/** `x: {cmds: [y]}` says the same as several lines. */
const inSeveralLines = (lines: YamlLines): YamlLines => {
  const [head = ""] = lines
  const inline = /^\{(?!\{)/.test(valueOf(head)) ? looseJson(valueOf(head)) : undefined
  if (!isObject(inline)) return lines
  const item = (one: unknown): string => (typeof one === "string" ? one : JSON.stringify(one))
  const members = Object.entries(inline).flatMap(([key, value]) =>
    Array.isArray(value)
      ? [`  ${key}:`, ...value.map((one) => `    - ${item(one)}`)]
      : [`  ${key}: ${item(value)}`]
  )
  return [`${keyOf(head)}:`, ...members]
}

/** What a task is told to run in one way or another besides its commands. */
const besides = (lines: YamlLines): readonly string[] => [
  ...listAt(lines, "status"),
  ...listAt(lines, "preconditions").map((one) => one.replace(/^sh:\s*/, "")),
  ...lines.filter((line) => keyOf(line) === "sh").map(valueOf)
]

export const readTaskfile = (
  text: string,
  { names, set = [] }: Recipe,
  args: readonly string[],
  included: readonly IncludedTasks[] = []
): RecipeText | undefined => {
  const lines = yamlLines(text)
  const told = new Map(set.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]))
  const tasks = tasksIn(lines, included)
  const open = included.flatMap((one) => (one.text === undefined ? one.names : []))
  const commands = new Lines()
  const given = args.join(" ")
  const seen = new Set<string>()
  const runIn = (folder: string, line: string): void =>
    commands.add(folder === "" ? line : `cd ${shellWord(folder)}\n${line}`)
  const add = (name: string, from = "", handed: Variables = new Map()): void => {
    const own = name.startsWith(":") || from === "" ? name.replace(/^:/, "") : `${from}:${name}`
    const task = tasks.get(own) ?? tasks.get(name) ?? fitting(tasks, own)
    // Of what is included as only the run can tell, nobody knows what it does.
    if (task === undefined && open.some((one) => one === "" || own.startsWith(`${one}:`))) commands.leaveOut()
    const key = [own, ...handed].join("\0")
    if (task === undefined || seen.has(key) || commands.isFull) return
    if (seen.size >= maxRecipes) {
      commands.leaveOut()
      return
    }
    seen.add(key)
    const [head = "", ...rest] = inSeveralLines(task.lines)
    for (const one of listAt(rest, "deps"))
      add(one.replace(/^\{?\s*task:\s*/, "").replace(/[\s,}].*$/s, ""), task.namespace)
    const inside = new Map([
      ...task.variables,
      ...variablesIn(below(rest, "env")),
      ...variablesIn(below(rest, "vars")),
      ...handed,
      ...told
    ])
    const dir = rest.find((line) => keyOf(line) === "dir")
    const folder = [task.folder ?? "", dir === undefined ? "" : filled(valueOf(dir), inside, given)]
    const where = folder[1]?.startsWith("/") ? folder[1] : folder.filter((one) => one !== "").join("/")
    const value = valueOf(head)
    const direct = value.startsWith("[") ? inBrackets(value) : [value]
    const single = rest.filter((line) => keyOf(line) === "cmd").map(valueOf)
    const listed = value === "" && /^\s*- /.test(rest[0] ?? "") ? itemsOf(rest) : []
    for (const one of [...besides(rest), ...direct, ...single, ...listed, ...listAt(rest, "cmds")]) {
      if (commands.isFull) return
      const [, other] = /^\{?\s*task:\s*([\w:.-]+)/.exec(one) ?? []
      if (other !== undefined) add(other, task.namespace, handedIn(one))
      else runIn(where, exportedFirst(one, inside, filled(one, inside, given)))
    }
  }
  for (const name of names.length > 0 ? names : ["default"]) add(name)
  return commands.read
}

/** `vars: {D: x}` of a task that is started by another. */
const handedIn = (item: string): Variables => {
  const [, inner = ""] = /\bvars:\s*\{([^{}]*)\}/.exec(item) ?? []
  return new Map(
    inner.split(",").flatMap((one): [string, string][] => {
      const [, name, value = ""] = /^\s*["']?(\w+)["']?:\s*(.*)$/s.exec(one) ?? []
      return name === undefined ? [] : [[name, unquoted(value).slice(0, longestValue)]]
    })
  )
}

/** What the shell has to put in of what the file sets in its environment. */
const exportedFirst = (line: string, known: Variables, command: string): string => {
  const names = [...new Set([...line.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name))]
  const set = names.flatMap((name) => {
    const value = known.get(name)
    return value === undefined || value === unknown ? [] : [`${name}=${shellWord(value)}`]
  })
  return [...set, command].join("\n")
}
