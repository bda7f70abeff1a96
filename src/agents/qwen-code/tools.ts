/** Qwen Code's tools, and what stands around their results. */
import type { Tool } from "../../../events/agentEvents.ts"
import { type Given, present } from "../decode.ts"
import { readCallWith, sharedTools, shellResult } from "../llmContent.ts"
import type { Call, ToolEntry } from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ...sharedTools,
  ["edit", { kind: "edit", path: "file_path" }],
  ["list_directory", { kind: "search", path: "path" }],
  ["tool_search", { kind: "search" }],
  ["agent", { kind: "task" }],
  ["todo_write", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

/** Before the output of a command stand the command itself, which may hold any line, and the folder. */
const unwrapped = (text: string, tool: Tool): string => {
  const head = `Command: ${tool.command}\nDirectory: `
  if (tool.command === undefined || !text.startsWith(head)) return text.trim()
  return text.slice(text.indexOf("\n", head.length) + 1).trim()
}

/** Of a command that printed nothing the exit code is the whole error: the rest of the text is another one each time. */
const silent = (exitCode: number | undefined): string => `Exit Code: ${exitCode ?? "none"}`

const readRan = readCallWith({ tools, mcp: "mcp__", ran: "PostToolUse", unwrapped })

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = (nativeEvent: string, fields: Given): Call | undefined => {
  const call = readRan(nativeEvent, fields)
  if (call === undefined) return undefined
  if (nativeEvent !== "PostToolUseFailure")
    return call.error !== undefined && call.output === ""
      ? { ...call, error: silent(call.tool.exitCode) }
      : call
  const response = fields.text("error") ?? ""
  // Since 0.24 a command that ends with another code than 0 is a failure, told with the text that the model reads.
  const { exitCode, output } =
    call.tool.kind === "shell" ? shellResult(unwrapped(response, call.tool)) : { output: response }
  return {
    tool: { ...call.tool, ok: false, response, ...present("exitCode", exitCode) },
    changed: [],
    output,
    // Stopping a tool by hand is no error of the work.
    ...(fields.flag("is_interrupt") ? {} : { error: output === "" ? silent(exitCode) : output })
  }
}
