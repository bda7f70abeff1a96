/** Reading tool calls: what several agents' tables share. Every function is linear in its input. */
import type { Tool, ToolKind } from "../../events/agentEvents.ts"
import type { Json, JsonObject } from "../../events/intents.ts"
import { shellWords } from "../state/shellWord.ts"
import { isObject } from "./shape.ts"

/** Where an agent's tool keeps what handlers ask for. */
export interface ToolEntry {
  readonly kind: ToolKind
  /** The input field that holds the command line. */
  readonly command?: string
  /** The input field that holds the path. */
  readonly path?: string
}

export const stringAt = (value: Json | undefined, field: string): string | undefined => {
  if (!isObject(value) || !Object.hasOwn(value, field)) return undefined
  const found = value[field]
  return typeof found === "string" ? found : undefined
}

/** A command line that came as a list of words is shown as one line. */
const commandAt = (input: Json, field: string): string | undefined => {
  if (!isObject(input) || !Object.hasOwn(input, field)) return undefined
  const found = input[field]
  if (typeof found === "string") return found
  if (Array.isArray(found) && found.every((word): word is string => typeof word === "string"))
    return shellWords(found)
  return undefined
}

/** Kind, command and path of a call, by the agent's table. */
export const describeTool = (entry: ToolEntry, name: string, input: Json): Tool => {
  const command = entry.command === undefined ? undefined : commandAt(input, entry.command)
  const path = entry.path === undefined ? undefined : stringAt(input, entry.path)
  return {
    kind: entry.kind,
    name,
    input,
    ...(command === undefined ? {} : { command }),
    ...(path === undefined ? {} : { path })
  }
}

/** The text of a tool result: a string, content blocks, or an object that holds either. */
export const textOf = (value: Json | undefined): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value))
    return value
      .map(blockText)
      .filter((text) => text !== "")
      .join("\n")
  return blockText(value)
}

const blockText = (value: Json | undefined): string => {
  if (typeof value === "string") return value
  for (const field of ["text", "output", "stdout", "content"]) {
    const found = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined
    if (typeof found === "string") return found
    if (Array.isArray(found)) return found.map((item: Json) => stringAt(item, "text") ?? "").join("\n")
  }
  return ""
}

/** Marks an MCP result as failed: `isError`, or an `Err` in place of the result. */
export const isErrorResult = (value: Json | undefined): boolean =>
  isObject(value) && (value["isError"] === true || value["is_error"] === true || Object.hasOwn(value, "Err"))

/** A whole number at the start of a text. */
export const leadingNumber = (text: string): number | undefined => {
  const digits = /^\s{0,8}(\d{1,9})(?!\d)/.exec(text.slice(0, 24))
  return digits ? Number(digits[1]) : undefined
}

export type Change = "create" | "update" | "delete" | "rename"

/** One file of a patch. */
export interface Changed {
  readonly path: string
  readonly change: Change
  readonly from?: string
}

const headers: readonly (readonly [string, Change])[] = [
  ["*** Add File: ", "create"],
  ["*** Update File: ", "update"],
  ["*** Delete File: ", "delete"]
]
const moved = "*** Move to: "
const maxFiles = 1000

/** The files of an `apply_patch` patch, in its order. */
export const patchedFiles = (patch: string): readonly Changed[] => {
  const files: Changed[] = []
  let start = 0
  while (start < patch.length && files.length < maxFiles) {
    const newline = patch.indexOf("\n", start)
    const end = newline < 0 ? patch.length : newline
    if (patch.startsWith("*** ", start)) {
      const line = patch.slice(start, end).trimEnd()
      const header = headers.find(([prefix]) => line.startsWith(prefix))
      if (header) files.push({ path: line.slice(header[0].length), change: header[1] })
      const last = files.at(-1)
      if (line.startsWith(moved) && last?.change === "update")
        files[files.length - 1] = { path: line.slice(moved.length), change: "rename", from: last.path }
    }
    start = end + 1
  }
  return files
}

/** The tool of a patch, with the files that it is about. */
export const withFiles = (tool: Tool, files: readonly Changed[]): Tool => {
  const paths = files.map(({ path }) => path)
  const [path] = paths
  return path === undefined ? tool : { ...tool, path, ...(paths.length > 1 ? { paths } : {}) }
}

/** What an agent's tool reader says of a call beyond the tool itself. */
export interface Call {
  readonly tool: Tool
  /** The files it changed, once it ran. */
  readonly changed: readonly Changed[]
  /** What a shell tool printed, once it ran. */
  readonly output?: string
  /** What went wrong, where the agent says so. */
  readonly error?: string
}

/** Whether a value is a plain object of JSON. */
export const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
