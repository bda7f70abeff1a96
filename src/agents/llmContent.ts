/** Tool calls of agents that keep a result as text for the model, `llmContent`: Gemini CLI and what descends from it. */
import type { Tool } from "../../events/agentEvents.ts"
import type { Json } from "../../events/intents.ts"
import { type Given, present } from "./decode.ts"
import { isObject } from "./shape.ts"
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
} from "./toolCall.ts"

/** The tools that all of them have. */
export const sharedTools: readonly (readonly [string, ToolEntry])[] = [
  ["run_shell_command", { kind: "shell", command: "command" }],
  ["read_file", { kind: "read", path: "file_path" }],
  ["read_many_files", { kind: "read" }],
  ["write_file", { kind: "edit", path: "file_path" }],
  ["glob", { kind: "search", path: "path" }],
  ["grep_search", { kind: "search", path: "path" }],
  ["web_fetch", { kind: "web" }]
]

export interface ToolDialect {
  readonly tools: ReadonlyMap<string, ToolEntry>
  /** How names of MCP tools begin. */
  readonly mcp: string
  /** The event that comes once a tool ran. */
  readonly ran: string
  /** The model's text without what the agent puts before it. */
  readonly unwrapped: (text: string, tool: Tool) => string
}

const describeCall = ({ mcp, tools }: ToolDialect, name: string, input: Json): Tool => {
  const tool = describeTool(tools.get(name) ?? { kind: name.startsWith(mcp) ? "mcp" : "other" }, name, input)
  const path =
    tool.path ??
    (tool.kind === "read" || tool.kind === "search" ? stringAt(input, "absolute_path") : undefined)
  return path === undefined ? tool : { ...tool, path }
}

interface Ended {
  readonly output: string
  readonly exitCode?: number
}

/** Lines that are added after the output, in any order. */
const trailers = ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "]

/**
 * The output without what is added around it. Read from the end, because the output itself may hold lines that look the same;
 * no exit code line means 0, unless a signal ended it.
 */
export const shellResult = (text: string): Ended => {
  const start = "Output: "
  if (!text.startsWith(start)) return { output: text }
  let end = text.length
  let exitCode: number | undefined = 0
  for (;;) {
    const from = text.lastIndexOf("\n", end - 1) + 1
    const mark = from > 0 ? trailers.find((trailer) => text.startsWith(trailer, from)) : undefined
    if (mark === undefined) break
    if (mark === "Exit Code: ")
      exitCode = leadingNumber(text.slice(from + mark.length, from + mark.length + 24))
    if (mark === "Signal: ") exitCode = undefined
    end = from - 1
    // The first line of what is added.
    if (mark === "Error: ") break
    if (mark === "Exit Code: " && !text.startsWith("Error: ", text.lastIndexOf("\n", end - 1) + 1)) break
  }
  const output = text.slice(start.length, end)
  return { output: output === "(empty)" ? "" : output, ...present("exitCode", exitCode) }
}

const changedBy = (tool: Tool, response: Json | undefined, text: string): readonly Changed[] => {
  if (tool.kind !== "edit" || tool.path === undefined) return []
  const created =
    asObject(asObject(response)["returnDisplay"])["isNewFile"] === true ||
    text.startsWith("Successfully created") ||
    text.startsWith("Created new file")
  return [{ path: tool.path, change: created ? "create" : "update" }]
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCallWith =
  (dialect: ToolDialect) =>
  (nativeEvent: string, fields: Given): Call | undefined => {
    const name = fields.text("tool_name")
    if (name === undefined) return undefined
    const tool = describeCall(dialect, name, fields.json("tool_input") ?? null)
    if (nativeEvent !== dialect.ran) return { tool, changed: [] }
    const response = fields.json("tool_response")
    const text = dialect.unwrapped(textOf(isObject(response) ? response["llmContent"] : response), tool)
    const problem = asObject(response)["error"]
    const message = isObject(problem) ? stringAt(problem, "message") : undefined
    const ended: Ended = tool.kind === "shell" ? shellResult(text) : { output: text }
    const isFailed = isObject(problem) || isErrorResult(response) || (ended.exitCode ?? 0) !== 0
    const output = ended.output === "" ? undefined : ended.output
    return {
      tool: {
        ...tool,
        ok: !isFailed,
        ...present("exitCode", ended.exitCode),
        ...present("response", response)
      },
      changed: isFailed ? [] : changedBy(tool, response, text),
      ...(tool.kind === "shell" ? { output: ended.output } : {}),
      ...(isFailed ? { error: tool.kind === "shell" ? (output ?? message ?? text) : (message ?? text) } : {})
    }
  }
