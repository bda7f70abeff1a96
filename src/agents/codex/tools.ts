/** Codex's tools, and what their results tell: mostly text, without an exit code. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { type Given, present } from "../decode.ts"
import { isObject } from "../shape.ts"
import {
  type Call,
  describeTool,
  isErrorResult,
  leadingNumber,
  patchedFiles,
  stringAt,
  type ToolEntry,
  textOf,
  withFiles
} from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ["Bash", { kind: "shell", command: "command" }],
  ["shell", { kind: "shell", command: "command" }],
  ["exec_command", { kind: "shell", command: "cmd" }],
  ["apply_patch", { kind: "edit" }],
  ["view_image", { kind: "read", path: "path" }],
  ["update_plan", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

const describeCall = (name: string, input: Json): Tool => {
  const entry = tools.get(name) ?? { kind: name.startsWith("mcp__") ? "mcp" : "other" }
  const tool = describeTool(entry, name, input)
  return name === "apply_patch" ? withFiles(tool, patchedFiles(patchOf(input))) : tool
}

const patchOf = (input: Json): string => stringAt(input, "command") ?? stringAt(input, "input") ?? ""

interface Result {
  readonly text: string
  readonly exitCode?: number
}

const exitMark = "Exit code: "
const outputMark = "\nOutput:\n"

/** Older versions say the exit code in a heading, or wrap text and exit code in JSON. */
const resultOf = (response: Json | undefined): Result => {
  if (typeof response !== "string") return { text: textOf(response) }
  if (response.startsWith(exitMark)) {
    const exitCode = leadingNumber(response.slice(exitMark.length, exitMark.length + 24))
    const from = response.indexOf(outputMark)
    return {
      text: from < 0 ? response : response.slice(from + outputMark.length),
      ...present("exitCode", exitCode)
    }
  }
  if (!response.startsWith('{"output":')) return { text: response }
  try {
    const wrapped = JSON.parse(response) as Json
    const metadata = isObject(wrapped) ? wrapped["metadata"] : undefined
    const exitCode =
      isObject(metadata) && typeof metadata["exit_code"] === "number" ? metadata["exit_code"] : undefined
    return { text: stringAt(wrapped, "output") ?? response, ...present("exitCode", exitCode) }
  } catch {
    return { text: response }
  }
}

const okOf = (tool: Tool, response: Json | undefined, { text, exitCode }: Result): boolean | undefined => {
  if (isErrorResult(response)) return false
  if (exitCode !== undefined) return exitCode === 0
  if (tool.name === "apply_patch") return text.startsWith("Success")
  // A shell tool's text does not tell whether the command succeeded.
  return tool.kind === "shell" ? undefined : true
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const name = fields.text("tool_name")
  if (name === undefined) return undefined
  const input = fields.json("tool_input") ?? null
  const tool = describeCall(name, input)
  if (nativeEvent !== "PostToolUse") return { tool, changed: [] }
  const response = fields.json("tool_response")
  const result = resultOf(response)
  const ok = okOf(tool, response, result)
  const exitCode = tool.kind === "shell" ? result.exitCode : undefined
  return {
    tool: {
      ...tool,
      ...present("ok", ok),
      ...present("exitCode", exitCode),
      ...present("response", response)
    },
    changed: ok === true && name === "apply_patch" ? patchedFiles(patchOf(input)) : [],
    ...(tool.kind === "shell" ? { output: result.text } : {}),
    ...(ok === false ? { error: result.text } : {})
  }
}
