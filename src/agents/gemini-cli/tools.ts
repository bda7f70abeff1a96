/** Gemini CLI's tools, and what stands around their results. */
import { readCallWith, sharedTools } from "../llmContent.ts"
import type { ToolEntry } from "../toolCall.ts"

const tools = new Map<string, ToolEntry>([
  ...sharedTools,
  ["replace", { kind: "edit", path: "file_path" }],
  ["search_file_content", { kind: "search", path: "path" }],
  ["list_directory", { kind: "search", path: "dir_path" }],
  ["google_web_search", { kind: "web" }],
  ["write_todos", { kind: "task" }]
])

/** Those of which a name tells the kind. */
export const toolNames: readonly string[] = [...tools.keys()]

const unwrapped = (text: string): string => {
  const open = "<untrusted_context>"
  const close = "</untrusted_context>"
  const inner = text.trim()
  return inner.startsWith(open) && inner.endsWith(close)
    ? inner.slice(open.length, -close.length).trim()
    : inner
}

/** The call of a tool event, with what its result tells once it ran. */
export const readCall = readCallWith({ tools, mcp: "mcp_", ran: "AfterTool", unwrapped })
