/** The tools of GitHub Copilot CLI, under the names that it gives to hooks, and what their results tell. */
import type { Tool } from "../../../events/agentEvents.ts"
import { type Given, present } from "../decode.ts"
import { asObject, type Call, describeTool, leadingNumber, stringAt, type ToolEntry } from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ["Bash", { kind: "shell", command: "command" }],
  ["PowerShell", { kind: "shell", command: "command" }],
  ["Read", { kind: "read", path: "path" }],
  ["Write", { kind: "edit", path: "path" }],
  ["Edit", { kind: "edit", path: "path" }],
  ["Glob", { kind: "search", path: "path" }],
  ["Grep", { kind: "search", path: "path" }],
  ["WebFetch", { kind: "web" }],
  ["WebSearch", { kind: "web" }],
  ["Agent", { kind: "task" }]
])

const entryOf = (name: string): ToolEntry =>
  tools.get(name) ?? { kind: name.startsWith("mcp__") ? "mcp" : "other" }

/** The exit code stands in no field, but at the end of what the model reads: `<shellId: 0 completed with exit code 3>`. */
const ended = " completed with exit code "

const shellEnd = (text: string): { readonly exitCode?: number; readonly output: string } => {
  const at = text.lastIndexOf("<shellId: ")
  const said = at < 0 ? -1 : text.indexOf(ended, at)
  const code = said < 0 ? undefined : leadingNumber(text.slice(said + ended.length, -1))
  return code === undefined || !text.endsWith(">")
    ? { output: text }
    : { exitCode: code, output: text.slice(0, at).trimEnd() }
}

const ran = (tool: Tool, fields: Given): Call => {
  const result = fields.json("tool_result")
  const text = stringAt(result, "text_result_for_llm") ?? ""
  const isSuccess = (asObject(result)["result_type"] ?? "success") === "success"
  const { exitCode, output } = tool.kind === "shell" ? shellEnd(text) : { exitCode: undefined, output: text }
  const ok = isSuccess && (exitCode ?? 0) === 0
  const change = tool.name === "Write" ? "create" : "update"
  return {
    tool: { ...tool, ok, ...present("exitCode", exitCode), ...present("response", result) },
    changed: ok && tool.kind === "edit" && tool.path !== undefined ? [{ path: tool.path, change }] : [],
    ...(tool.kind === "shell" ? { output } : {}),
    ...(ok ? {} : { error: output === "" ? text.trim() : output })
  }
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const tool = describeTool(entryOf(name), name, fields.json("tool_input") ?? null)
  if (nativeEvent === "PostToolUse") return ran(tool, fields)
  if (nativeEvent !== "PostToolUseFailure") return { tool, changed: [] }
  const error = fields.text("error") ?? ""
  return { tool: { ...tool, ok: false, response: error }, changed: [], output: error, error }
}
