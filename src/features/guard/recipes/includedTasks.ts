/** Taskfiles that another one includes, each under its name there. */
import { join, resolve } from "node:path"
import { fileText } from "../fileText.ts"
import { isObject } from "./jsonMember.ts"
import { looseJson } from "./looseJson.ts"
import { below, keyOf, listAt, membersOf, valueOf, type YamlLines, yamlLines } from "./yamlLines.ts"

export const taskfileNames = ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "Taskfile.dist.yml"]

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

/** What is said of one file, in one line or in several. */
const toldOf = (head: string, lines: YamlLines): ((key: string) => string) => {
  const value = valueOf(head)
  const inline = /^\{(?!\{)/.test(value) ? looseJson(value) : undefined
  return (key) => {
    if (isObject(inline)) return String(inline[key] ?? "")
    const line = lines.find((one) => keyOf(one) === key)
    return line !== undefined ? valueOf(line) : key === "taskfile" ? value : ""
  }
}

export const includedTasks = async (
  text: string,
  folder: string,
  maxBytes: number,
  depth = 0
): Promise<readonly IncludedTasks[]> => {
  const found: IncludedTasks[] = []
  const includes = below(yamlLines(text), "includes")
  if (includes.length === 0 || depth >= deepestInclude) return found
  for (const [name, [head = "", ...lines]] of membersOf(includes)) {
    if (found.length >= maxFiles) break
    const told = toldOf(head, lines)
    const path = told("taskfile")
    const isOpen = path.includes("{{") || /^\w+:\/\//.test(path)
    const own = isOpen ? undefined : await textAt(resolve(folder, path), maxBytes)
    // What is not there starts nothing.
    if (own === undefined && !isOpen) continue
    const names = told("flatten") === "true" ? [""] : [name, ...listAt(lines, "aliases")]
    const dir = told("dir")
    found.push({ names, text: own?.text, folder: dir === "" ? undefined : resolve(folder, dir) })
    if (own?.text === undefined) continue
    const inner = await includedTasks(own.text, resolve(own.file, ".."), maxBytes, depth + 1)
    for (const one of inner)
      found.push({
        ...one,
        names: names.flatMap((outer) => one.names.map((each) => [outer, each].filter(Boolean).join(":"))),
        folder: one.folder ?? (dir === "" ? undefined : resolve(folder, dir))
      })
  }
  return found.slice(0, maxFiles)
}
