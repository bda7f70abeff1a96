/** The tools of VS Code's agent, under the names that it gives to hooks; those of its pages' examples as well. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { type Given, present } from "../decode.ts"
import {
  asObject,
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
  ["run_in_terminal", { kind: "shell", command: "command" }],
  ["runTerminalCommand", { kind: "shell", command: "command" }],
  ["read_file", { kind: "read", path: "filePath" }],
  ["create_file", { kind: "edit", path: "filePath" }],
  ["createFile", { kind: "edit", path: "path" }],
  ["deleteFile", { kind: "edit", path: "path" }],
  ["replace_string_in_file", { kind: "edit", path: "filePath" }],
  ["insert_edit_into_file", { kind: "edit", path: "filePath" }],
  ["edit_notebook_file", { kind: "edit", path: "filePath" }],
  ["multi_replace_string_in_file", { kind: "edit" }],
  ["editFiles", { kind: "edit" }],
  ["apply_patch", { kind: "edit" }],
  ["list_dir", { kind: "search", path: "path" }],
  ["file_search", { kind: "search" }],
  ["grep_search", { kind: "search" }],
  ["semantic_search", { kind: "search" }],
  ["fetch_webpage", { kind: "web" }],
  ["runSubagent", { kind: "task" }],
  ["manage_todo_list", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

const listAt = (input: Json, field: string): readonly Json[] => {
  const found = asObject(input)[field]
  return Array.isArray(found) ? found : []
}

/** The files of a call that names several. */
const filesOf = (name: string, input: Json): readonly Changed[] => {
  if (name === "apply_patch") return patchedFiles(stringAt(input, "input") ?? "")
  const paths = [
    ...listAt(input, "files").filter((file) => typeof file === "string"),
    ...listAt(input, "replacements").flatMap((one) => stringAt(one, "filePath") ?? [])
  ]
  return [...new Set(paths)].map((path) => ({ path, change: "update" }))
}

const describeCall = (name: string, input: Json): Tool => {
  const entry = tools.get(name) ?? { kind: name.startsWith("mcp_") ? "mcp" : "other" }
  const tool = describeTool(entry, name, input)
  return entry.kind === "edit" && entry.path === undefined ? withFiles(tool, filesOf(name, input)) : tool
}

const changes: Readonly<Record<string, Changed["change"]>> = {
  create_file: "create",
  createFile: "create",
  deleteFile: "delete"
}

const changedBy = ({ input, kind, name, path }: Tool): readonly Changed[] => {
  if (kind !== "edit") return []
  const several = filesOf(name, input)
  if (several.length > 0 || path === undefined) return several
  return [{ path, change: changes[name] ?? "update" }]
}

/** The call of a tool event, with what its result tells once it ran. The text of a command's result names no exit code. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const tool = describeCall(name, fields.json("tool_input") ?? null)
  if (nativeEvent !== "PostToolUse") return { tool, changed: [] }
  const response = fields.json("tool_response")
  const isShell = tool.kind === "shell"
  const ok = !isErrorResult(response)
  return {
    tool: { ...tool, ...(isShell ? {} : { ok }), ...present("response", response) },
    changed: ok ? changedBy(tool) : [],
    ...(isShell ? { output: textOf(response) } : {}),
    ...(ok ? {} : { error: textOf(response) })
  }
}
