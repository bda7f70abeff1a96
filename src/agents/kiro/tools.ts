/** Kiro's tools, under the names of its versions 2 and 3 and the short ones that both know. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { type Given, present } from "../decode.ts"
import {
  asObject,
  type Call,
  type Changed,
  describeTool,
  isErrorResult,
  leadingNumber,
  stringAt,
  type ToolEntry,
  textOf,
  withFiles
} from "../toolCall.ts"

const shell: ToolEntry = { kind: "shell", command: "command" }
const edit: ToolEntry = { kind: "edit", path: "path" }
const read: ToolEntry = { kind: "read", path: "path" }
const search: ToolEntry = { kind: "search", path: "path" }
const tools = new Map<string, ToolEntry>([
  ["execute_bash", shell],
  ["execute_cmd", shell],
  ["execute_pwsh", shell],
  ["shell", shell],
  ["fs_read", read],
  ["read", read],
  ["read_file", read],
  ["fs_write", edit],
  ["fs_append", edit],
  ["str_replace", edit],
  ["delete_file", edit],
  ["write", edit],
  ["glob", search],
  ["grep", search],
  ["list_directory", search],
  ["file_search", search],
  ["grep_search", search],
  ["web_search", { kind: "web" }],
  ["web_fetch", { kind: "web" }],
  ["use_subagent", { kind: "task" }],
  ["subagent", { kind: "task" }],
  ["todo_list", { kind: "task" }],
  ["todo", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

/** One call reads several files. */
const operationsOf = (input: Json): readonly Changed[] => {
  const { operations } = asObject(input)
  const paths = Array.isArray(operations)
    ? operations.flatMap((one: Json) => stringAt(one, "path") ?? [])
    : []
  return paths.map((path) => ({ path, change: "update" }))
}

const describeCall = (name: string, input: Json): Tool => {
  const entry = tools.get(name) ?? { kind: name.startsWith("@") ? "mcp" : "other" }
  const tool = describeTool(entry, name, input)
  return entry.kind === "read" ? withFiles(tool, operationsOf(input)) : tool
}

const changeOf = ({ input, name }: Tool): Changed["change"] => {
  if (name === "delete_file") return "delete"
  return stringAt(input, "command") === "create" ? "create" : "update"
}

/** `{success, result: [{exit_status, stdout, stderr}]}`; what else comes is a text. */
const resultsOf = (response: Json | undefined): readonly Json[] => {
  const { result } = asObject(response)
  return Array.isArray(result) ? result : []
}

const printed = (response: Json | undefined): string => {
  const results = resultsOf(response)
  if (results.length === 0) return textOf(response)
  return results
    .flatMap((one) => (typeof one === "string" ? one : [stringAt(one, "stdout"), stringAt(one, "stderr")]))
    .filter((text) => text !== undefined && text !== "")
    .join("\n")
}

const exitOf = (response: Json | undefined): number | undefined => {
  const [first] = resultsOf(response)
  const { exit_status: status } = asObject(first)
  return typeof status === "number" ? status : typeof status === "string" ? leadingNumber(status) : undefined
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const tool = describeCall(name, fields.json("tool_input") ?? null)
  if (nativeEvent !== "PostToolUse") return { tool, changed: [] }
  const response = fields.json("tool_response")
  const exitCode = tool.kind === "shell" ? exitOf(response) : undefined
  const isSuccess = asObject(response)["success"] !== false && !isErrorResult(response)
  const ok = isSuccess && (exitCode ?? 0) === 0
  const output = printed(response)
  const isEdit = tool.kind === "edit" && tool.path !== undefined
  return {
    tool: { ...tool, ok, ...present("exitCode", exitCode), ...present("response", response) },
    changed: ok && isEdit ? [{ path: tool.path, change: changeOf(tool) }] : [],
    ...(tool.kind === "shell" ? { output } : {}),
    ...(ok ? {} : { error: output })
  }
}
