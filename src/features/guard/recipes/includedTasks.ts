/** Taskfiles that another one includes, each under its name there. */
import { dirname, join, resolve } from "node:path"
import { fileText } from "../fileText.ts"
import { isObject } from "./jsonMember.ts"
import { looseJson } from "./looseJson.ts"
import { below, keyOf, listAt, membersOf, valueOf, type YamlLines, yamlLines } from "./yamlLines.ts"

/** In the order in which they are looked for. */
export const taskfileNames = ["Taskfile", "taskfile", "Taskfile.dist", "taskfile.dist"].flatMap((name) => [
  `${name}.yml`,
  `${name}.yaml`
])

export interface IncludedTasks {
  /** Those that a task of it has before its own name, the first one first. */
  readonly names: readonly string[]
  /** What it says; undefined where only the run can tell. */
  readonly text: string | undefined
  /** Where its tasks run, if not where those of the first do. */
  readonly folder: string | undefined
}

const maxFiles = 20
const deepestInclude = 5
/** So many letters are read of all of them, counted for each name that a file has. */
const maxNamed = 2_097_152
/** More names than these nobody gives to one file. */
const maxNames = 50

/** A folder stands for the file in it. */
const textAt = async (
  path: string,
  maxBytes: number
): Promise<{ file: string; text?: string } | undefined> => {
  for (const file of [path, ...taskfileNames.map((name) => join(path, name))]) {
    const found = await fileText(file, maxBytes)
    if (found !== undefined) return found.isWhole ? { file, text: found.text } : { file }
  }
  return undefined
}

interface Told {
  readonly of: (key: string) => string
  readonly aliases: readonly string[]
}

/** What is said of one file, in one line or in several. */
const toldOf = (head: string, lines: YamlLines): Told => {
  const value = valueOf(head)
  const inline = /^\{(?!\{)/.test(value) ? looseJson(value) : undefined
  if (isObject(inline)) {
    const member = (key: string): unknown => (Object.hasOwn(inline, key) ? inline[key] : undefined)
    const aliases = member("aliases")
    return {
      of: (key) => {
        const found = member(key)
        return typeof found === "string" || typeof found === "boolean" ? String(found) : ""
      },
      aliases: Array.isArray(aliases) ? aliases.filter((one) => typeof one === "string") : []
    }
  }
  return {
    of: (key) => {
      const line = lines.find((one) => keyOf(one) === key)
      return line !== undefined ? valueOf(line) : key === "taskfile" ? value : ""
    },
    aliases: listAt(lines, "aliases")
  }
}

interface Reading {
  readonly maxBytes: number
  files: number
  named: number
}

/** As many of the names as may be read; of the rest nobody knows what it does. */
const named = (one: IncludedTasks, reading: Reading): readonly IncludedTasks[] => {
  const { names, text = "" } = one
  const each = Math.max(1, text.length)
  const fit = Math.min(names.length, maxNames, Math.max(0, Math.floor(reading.named / each)))
  reading.named -= fit * each
  return [
    ...(fit === 0 ? [] : [{ ...one, names: names.slice(0, fit) }]),
    ...(fit < names.length ? [{ ...one, names: [""], text: undefined }] : [])
  ]
}

const within = async (
  text: string,
  folder: string,
  way: readonly string[],
  reading: Reading
): Promise<readonly IncludedTasks[]> => {
  const found: IncludedTasks[] = []
  const includes = below(yamlLines(text), "includes")
  if (includes.length === 0) return found
  for (const [name, [head = "", ...lines]] of membersOf(includes)) {
    const told = toldOf(head, lines)
    const path = told.of("taskfile")
    if (reading.files <= 0 || reading.named <= 0 || way.length > deepestInclude)
      return [...found, { names: [""], text: undefined, folder: undefined }]
    const isOpen = path.includes("{{") || /^\w+:\/\//.test(path)
    const own = isOpen ? undefined : await textAt(resolve(folder, path), reading.maxBytes)
    // What is not there starts nothing.
    if (own === undefined && !isOpen) continue
    reading.files--
    const names = told.of("flatten") === "true" ? [""] : [name, ...told.aliases]
    const dir = told.of("dir")
    const runIn = dir === "" ? undefined : resolve(folder, dir)
    found.push(...named({ names, text: own?.text, folder: runIn }, reading))
    if (own?.text === undefined || way.includes(own.file)) continue
    for (const one of await within(own.text, dirname(own.file), [...way, own.file], reading)) {
      const all = withEach(names.slice(0, maxNames), one.names)
      found.push(...named({ ...one, folder: one.folder ?? runIn, names: all }, reading))
    }
  }
  return found
}

const withEach = (outer: readonly string[], inner: readonly string[]): readonly string[] =>
  outer.flatMap((before) => inner.map((each) => [before, each].filter(Boolean).join(":")))

/** `file`: where the text itself stands. */
export const includedTasks = async (
  text: string,
  file: string,
  maxBytes: number
): Promise<readonly IncludedTasks[]> =>
  within(text, dirname(file), [file], { maxBytes, files: maxFiles, named: maxNamed })
