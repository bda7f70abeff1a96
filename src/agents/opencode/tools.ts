/** OpenCode's tools, and what their results tell: the exit code of a command stands in a field of its own. */
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
  ["bash", { kind: "shell", command: "command" }],
  ["read", { kind: "read", path: "filePath" }],
  ["write", { kind: "edit", path: "filePath" }],
  ["edit", { kind: "edit", path: "filePath" }],
  ["multiedit", { kind: "edit", path: "filePath" }],
  ["apply_patch", { kind: "edit" }],
  ["glob", { kind: "search", path: "path" }],
  ["grep", { kind: "search", path: "path" }],
  ["list", { kind: "search", path: "path" }],
  ["webfetch", { kind: "web" }],
  ["websearch", { kind: "web" }],
  ["codesearch", { kind: "web" }],
  ["task", { kind: "task" }],
  ["todowrite", { kind: "task" }],
  ["todoread", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

const patchOf = (input: Json): readonly Changed[] => patchedFiles(stringAt(input, "patchText") ?? "")

/** A tool of an MCP server is called `<server>_<tool>`, which a user's own tool may be called as well. */
const describeCall = (name: string, input: Json): Tool => {
  const tool = describeTool(tools.get(name) ?? { kind: "other" }, name, input)
  return name === "apply_patch" ? withFiles(tool, patchOf(input)) : tool
}

const changedBy = (tool: Tool, metadata: Json | undefined): readonly Changed[] => {
  if (tool.name === "apply_patch") return patchOf(tool.input)
  if (tool.kind !== "edit" || tool.path === undefined) return []
  return [{ path: tool.path, change: asObject(metadata)["exists"] === false ? "create" : "update" }]
}

const ran = (tool: Tool, fields: Given): Call => {
  const response = fields.json("tool_response")
  const { metadata, output } = asObject(response)
  const exit = asObject(metadata)["exit"]
  const exitCode = tool.kind === "shell" && typeof exit === "number" ? exit : undefined
  const said = typeof output === "string" ? output : textOf(response)
  const text = said === "(no output)" && tool.kind === "shell" ? "" : said
  // Without an exit code a command was ended: by its time limit, or by hand.
  const ok = tool.kind === "shell" ? exitCode === 0 : true
  return {
    tool: { ...tool, ok, ...present("exitCode", exitCode), ...present("response", response) },
    changed: ok ? changedBy(tool, metadata) : [],
    ...(tool.kind === "shell" ? { output: text } : {}),
    ...(ok ? {} : { error: text.trim() === "" ? `Exit code ${exitCode ?? "unknown"}` : text.trim() })
  }
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const tool = describeCall(name, fields.json("tool_input") ?? null)
  if (nativeEvent === "PostToolUse") return ran(tool, fields)
  if (nativeEvent !== "PostToolUseFailure") return { tool, changed: [] }
  const error = fields.text("error") ?? ""
  return {
    tool: { ...tool, ok: false, response: error },
    changed: [],
    output: error,
    // What the human refused or stopped is no error of the work.
    ...(fields.flag("is_interrupt") ? {} : { error })
  }
}
