/** Cursor's tools: told by events of their own for shell, MCP, reading and editing, or all alike by the events of a tool call. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { type Given, present } from "../decode.ts"
import { isObject } from "../shape.ts"
import {
  asObject,
  type Call,
  type Change,
  describeTool,
  isErrorResult,
  stringAt,
  type ToolEntry,
  textOf
} from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ["Shell", { kind: "shell", command: "command" }],
  ["Read", { kind: "read", path: "file_path" }],
  ["Write", { kind: "edit", path: "file_path" }],
  ["Edit", { kind: "edit", path: "file_path" }],
  ["Delete", { kind: "edit", path: "file_path" }],
  ["Grep", { kind: "search", path: "path" }],
  ["Glob", { kind: "search", path: "path" }],
  ["Task", { kind: "task" }]
])

/** The fields of a tool's input are not documented: these are the names in use. */
const pathKeys = ["file_path", "path", "target_file"]

/** JSON that came as a text. */
const unpacked = (value: Json | undefined): Json | undefined => {
  if (typeof value !== "string") return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

const describeCall = (name: string, input: Json): Tool => {
  const entry = tools.get(name) ?? { kind: name.startsWith("MCP:") ? "mcp" : "other" }
  const tool = describeTool(entry, name, input)
  if (tool.path !== undefined || !["read", "edit", "search"].includes(tool.kind)) return tool
  const path = pathKeys.map((key) => stringAt(input, key)).find((found) => found !== undefined)
  return path === undefined ? tool : { ...tool, path }
}

/** The input that an event of its own spells out in its fields. */
const spelled = (fields: Given, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): readonly (readonly [string, Json])[] => {
      const value = fields.json(name)
      return value === undefined ? [] : [[name, value]]
    })
  )

const numberAt = (value: Json | undefined, names: readonly string[]): number | undefined =>
  names.map((name) => asObject(value)[name]).find((found) => typeof found === "number") as number | undefined

/** Events that tell of one tool alone, and the fields that are its input there. */
const own = new Map<string, readonly [tool: string, input: readonly string[]]>([
  ["beforeShellExecution", ["Shell", ["command", "cwd"]]],
  ["afterShellExecution", ["Shell", ["command", "cwd"]]],
  ["beforeReadFile", ["Read", ["file_path"]]],
  ["afterFileEdit", ["Edit", ["file_path", "edits"]]]
])

/** The call as it stands before it runs, whichever event tells of it. */
const callOf = (native: string, fields: Given): Tool | undefined => {
  const [tool, names = []] = own.get(native) ?? []
  if (tool !== undefined) {
    const input = spelled(fields, names)
    return Object.keys(input).length === 0 ? undefined : describeCall(tool, input)
  }
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const input = unpacked(fields.json("tool_input")) ?? null
  return native.includes("MCPExecution") ? { kind: "mcp", name, input } : describeCall(name, input)
}

const changeOf = (tool: Tool): Change => (tool.name === "Delete" ? "delete" : "update")
const changedBy = (tool: Tool) =>
  tool.kind === "edit" && tool.path !== undefined ? [{ path: tool.path, change: changeOf(tool) }] : []

const failed = (tool: Tool, fields: Given): Call => {
  const error = fields.text("error_message") ?? ""
  return {
    tool: { ...tool, ok: false },
    changed: [],
    ...(tool.kind === "shell" ? { output: error } : {}),
    // What the user stopped is no error.
    ...(fields.flag("is_interrupt") ? {} : { error })
  }
}

const ended = (tool: Tool, response: Json | undefined, succeeded: boolean | undefined): Call => {
  const exitCode = tool.kind === "shell" ? numberAt(response, ["exitCode", "exit_code"]) : undefined
  const ok = isErrorResult(response) ? false : exitCode === undefined ? succeeded : exitCode === 0
  const printed = isObject(response) ? [stringAt(response, "stdout"), stringAt(response, "stderr")] : []
  const text = printed.filter((part) => part !== undefined && part !== "").join("\n") || textOf(response)
  return {
    tool: {
      ...tool,
      ...present("ok", ok),
      ...present("exitCode", exitCode),
      ...present("response", response)
    },
    changed: ok === true ? changedBy(tool) : [],
    ...(tool.kind === "shell" ? { output: text } : {}),
    ...(ok === false ? { error: text } : {})
  }
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (native: string, fields: Given): Call | undefined => {
  const tool = callOf(native, fields)
  if (tool === undefined) return undefined
  switch (native) {
    case "postToolUseFailure":
      return failed(tool, fields)
    case "postToolUse":
      // A shell's text without an exit code does not tell whether the command succeeded.
      return ended(tool, unpacked(fields.json("tool_output")), tool.kind === "shell" ? undefined : true)
    case "afterShellExecution":
      return ended(tool, fields.json("output"), undefined)
    case "afterMCPExecution":
      return ended(tool, unpacked(fields.json("result_json")), true)
    case "afterFileEdit":
      return ended(tool, undefined, true)
    default:
      return { tool, changed: [] }
  }
}
