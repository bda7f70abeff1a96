/** Cline's tools, most of which do several things in one call, and what their results tell. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { type Given, present } from "../decode.ts"
import {
  asObject,
  type Call,
  type Changed,
  describeTool,
  patchedFiles,
  stringAt,
  type ToolEntry,
  textOf,
  withFiles
} from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ["run_commands", { kind: "shell" }],
  ["read_files", { kind: "read" }],
  ["search_codebase", { kind: "search" }],
  ["fetch_web_content", { kind: "web" }],
  ["apply_patch", { kind: "edit" }],
  ["editor", { kind: "edit", path: "path" }],
  ["spawn_agent", { kind: "task" }],
  ["team_run_task", { kind: "task" }],
  ["team_task", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

const listAt = (value: Json, field: string): readonly Json[] => {
  const found = asObject(value)[field]
  return Array.isArray(found) ? (found as readonly Json[]) : []
}

/** A command is a line of text, or an object that holds one. */
const commandsOf = (input: Json): readonly string[] =>
  listAt(input, "commands").flatMap((one) =>
    typeof one === "string" ? [one] : (stringAt(one, "command") ?? [])
  )

const patchOf = (input: Json): readonly Changed[] => patchedFiles(stringAt(input, "input") ?? "")

const filesOf = (input: Json): readonly Changed[] =>
  listAt(input, "files").flatMap((file) => {
    const path = typeof file === "string" ? file : stringAt(file, "path")
    return path === undefined ? [] : [{ path, change: "update" }]
  })

/** A tool of an MCP server is called `<server>__<tool>`. */
const describeCall = (name: string, input: Json): Tool => {
  const kind = name.includes("__") ? "mcp" : "other"
  const tool = describeTool(tools.get(name) ?? { kind }, name, input)
  if (name === "apply_patch") return withFiles(tool, patchOf(input))
  if (name === "read_files") return withFiles(tool, filesOf(input))
  // Cline runs them side by side; to a reader they are lines of one script.
  const commands = tool.kind === "shell" ? commandsOf(input) : []
  return commands.length === 0 ? tool : { ...tool, command: commands.join("\n") }
}

const changedBy = (tool: Tool): readonly Changed[] => {
  if (tool.name === "apply_patch") return patchOf(tool.input)
  if (tool.name !== "editor" || tool.path === undefined) return []
  const isWhole =
    stringAt(tool.input, "old_text") === undefined && asObject(tool.input)["insert_line"] == null
  return [{ path: tool.path, change: isWhole ? "create" : "update" }]
}

/** What one of a call's parts came to. */
interface Part {
  readonly text: string
  readonly error?: string
  readonly exitCode?: number
}

/** Before what a command printed stands how it ended, where that was not well. */
const ending = /^\[Command exited with code (\d{1,9})\]\n?/

const partOf = (value: Json): Part => {
  const { error, result, success } = asObject(value)
  const text = typeof result === "string" ? result : textOf(value)
  if (success !== false) return { text }
  const code = ending.exec(text)?.[1] ?? /exited with code (\d{1,9})/.exec(String(error))?.[1]
  return {
    text: text.replace(ending, ""),
    error: typeof error === "string" ? error : "",
    ...(code === undefined ? {} : { exitCode: Number(code) })
  }
}

const ran = (tool: Tool, response: Json): Call => {
  const parts = (Array.isArray(response) ? (response as readonly Json[]) : [response]).map(partOf)
  const failed = parts.filter(({ error }) => error !== undefined)
  const [first] = failed
  const output = parts
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
  const ok = first === undefined
  const exitCode = tool.kind !== "shell" ? undefined : ok ? 0 : first.exitCode
  const error = failed.map((part) => (part.text.trim() === "" ? (part.error ?? "") : part.text.trim()))
  return {
    tool: { ...tool, ok, ...present("exitCode", exitCode), response },
    changed: ok ? changedBy(tool) : [],
    ...(tool.kind === "shell" ? { output } : {}),
    ...(ok ? {} : { error: error.join("\n") })
  }
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const tool = describeCall(name, fields.json("tool_input") ?? null)
  if (nativeEvent === "PostToolUse") return ran(tool, fields.json("tool_response") ?? null)
  if (nativeEvent !== "PostToolUseFailure") return { tool, changed: [] }
  const error = fields.text("error") ?? ""
  return {
    tool: { ...tool, ok: false, response: error },
    changed: [],
    output: error,
    // What the human refused is no error of the work.
    ...(fields.flag("is_interrupt") ? {} : { error })
  }
}
