/** Droid's tools, under the names of its pages and the earlier ones. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { type Given, present } from "../decode.ts"
import {
  type Call,
  type Changed,
  describeTool,
  isErrorResult,
  patchedFiles,
  stringAt,
  type ToolEntry,
  textOf,
  withFiles
} from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ["Execute", { kind: "shell", command: "command" }],
  ["Bash", { kind: "shell", command: "command" }],
  ["Read", { kind: "read", path: "file_path" }],
  ["Create", { kind: "edit", path: "file_path" }],
  ["Write", { kind: "edit", path: "file_path" }],
  ["Edit", { kind: "edit", path: "file_path" }],
  ["MultiEdit", { kind: "edit", path: "file_path" }],
  ["ApplyPatch", { kind: "edit" }],
  ["Glob", { kind: "search", path: "path" }],
  ["Grep", { kind: "search", path: "path" }],
  ["LS", { kind: "search", path: "path" }],
  ["WebSearch", { kind: "web" }],
  ["WebFetch", { kind: "web" }],
  ["FetchUrl", { kind: "web" }],
  ["Task", { kind: "task" }],
  ["TodoWrite", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

const patchOf = (input: Json): readonly Changed[] => patchedFiles(stringAt(input, "input") ?? "")

const describeCall = (name: string, input: Json): Tool => {
  const entry = tools.get(name) ?? { kind: name.startsWith("mcp__") ? "mcp" : "other" }
  const tool = describeTool(entry, name, input)
  return name === "ApplyPatch" ? withFiles(tool, patchOf(input)) : tool
}

const changedBy = (tool: Tool): readonly Changed[] => {
  if (tool.name === "ApplyPatch") return patchOf(tool.input)
  if (tool.kind !== "edit" || tool.path === undefined) return []
  return [{ path: tool.path, change: tool.name === "Create" ? "create" : "update" }]
}

/** The call of a tool event, with what its result tells once it ran. An exit code Droid's pages do not name. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const tool = describeCall(name, fields.json("tool_input") ?? null)
  if (nativeEvent !== "PostToolUse") return { tool, changed: [] }
  const response = fields.json("tool_response")
  const ok = !isErrorResult(response)
  return {
    tool: { ...tool, ok, ...present("response", response) },
    changed: ok ? changedBy(tool) : [],
    ...(tool.kind === "shell" ? { output: textOf(response) } : {}),
    ...(ok ? {} : { error: textOf(response) })
  }
}
