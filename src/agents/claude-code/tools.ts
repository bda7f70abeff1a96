/** Claude Code's tools, and what their results tell. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { type Given, present } from "../decode.ts"
import { isObject } from "../shape.ts"
import {
  asObject,
  type Call,
  type Changed,
  describeTool,
  isErrorResult,
  leadingNumber,
  stringAt,
  type ToolEntry,
  textOf
} from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ["Bash", { kind: "shell", command: "command" }],
  ["PowerShell", { kind: "shell", command: "command" }],
  ["Read", { kind: "read", path: "file_path" }],
  ["NotebookRead", { kind: "read", path: "notebook_path" }],
  ["Write", { kind: "edit", path: "file_path" }],
  ["Edit", { kind: "edit", path: "file_path" }],
  ["MultiEdit", { kind: "edit", path: "file_path" }],
  ["NotebookEdit", { kind: "edit", path: "notebook_path" }],
  ["Glob", { kind: "search", path: "path" }],
  ["Grep", { kind: "search", path: "path" }],
  ["LS", { kind: "search", path: "path" }],
  ["ToolSearch", { kind: "search" }],
  ["WebFetch", { kind: "web" }],
  ["WebSearch", { kind: "web" }],
  ["Task", { kind: "task" }],
  ["Agent", { kind: "task" }],
  ["TodoWrite", { kind: "task" }],
  ["TaskCreate", { kind: "task" }],
  ["TaskUpdate", { kind: "task" }],
  ["TaskList", { kind: "task" }],
  ["TaskGet", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

const entryOf = (name: string): ToolEntry =>
  tools.get(name) ?? { kind: name.startsWith("mcp__") ? "mcp" : "other" }

export const describeCall = (name: string, input: Json): Tool => describeTool(entryOf(name), name, input)

const changedBy = (tool: Tool, response: Json | undefined): readonly Changed[] => {
  const path = tool.path ?? stringAt(response, "filePath")
  if (tool.kind !== "edit" || path === undefined) return []
  const result = asObject(response)
  const created = result["type"] === "create" || (tool.name === "Write" && result["originalFile"] === null)
  return [{ path, change: created ? "create" : "update" }]
}

/** A command that goes on in the background has not ended: it has no exit code. */
const isEnded = (response: Json | undefined): boolean =>
  isObject(response) &&
  typeof response["stdout"] === "string" &&
  response["interrupted"] !== true &&
  !Object.hasOwn(response, "backgroundTaskId")

const outputOf = (response: Json | undefined): string => {
  const out = stringAt(response, "stdout")
  const err = stringAt(response, "stderr")
  if (out === undefined && err === undefined) return textOf(response)
  return [out, err].filter((text) => text !== undefined && text !== "").join("\n")
}

const failed = (tool: Tool, error: string, interrupted: boolean): Call => {
  const prefix = "Exit code "
  const exitCode = error.startsWith(prefix)
    ? leadingNumber(error.slice(prefix.length, prefix.length + 24))
    : undefined
  const newline = error.indexOf("\n")
  const output = exitCode === undefined ? error : newline < 0 ? "" : error.slice(newline + 1)
  return {
    tool: { ...tool, ok: false, response: error, ...present("exitCode", exitCode) },
    changed: [],
    output,
    // Stopping a tool by hand is no error of the work.
    ...(interrupted ? {} : { error: output === "" ? error : output })
  }
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const tool = describeCall(name, fields.json("tool_input") ?? null)
  if (nativeEvent === "PostToolUseFailure")
    return failed(tool, fields.text("error") ?? "", fields.flag("is_interrupt"))
  if (nativeEvent !== "PostToolUse") return { tool, changed: [] }
  const response = fields.json("tool_response")
  const ok = !isErrorResult(response)
  // A command that ends with anything but 0 is reported as a failure.
  const exitCode = tool.kind === "shell" && isEnded(response) ? 0 : undefined
  return {
    tool: { ...tool, ok, ...present("exitCode", exitCode), ...present("response", response) },
    changed: ok ? changedBy(tool, response) : [],
    ...(tool.kind === "shell" ? { output: outputOf(response) } : {}),
    ...(ok ? {} : { error: textOf(response) })
  }
}
