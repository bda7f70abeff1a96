/** What the model was told, read from its requests: the only proof that a hook's words arrived. */
import type { AgentRun } from "./runAgent.ts"
import type { ModelRequest } from "./scriptedModel.ts"

export interface Received {
  /** Index of the first model request that carried it; the history repeats it in all later ones. */
  readonly request: number
  /** As the API calls it: user, system, developer, assistant, model; "tool" for what a tool call gave back. */
  readonly role: string
  readonly text: string
  /** Only for results of tool calls: did the agent present it as a failure? `undefined` where it does not say. */
  readonly failed?: boolean
  readonly callId?: string
}

/** Every distinct piece of text of the agent's own loop, in the order the model first saw it. */
export const received = (run: AgentRun): ReadonlyArray<Received> => {
  const seen = new Set<string>()
  return run.modelRequests.flatMap((request, index) => {
    if (!request.main) return []
    return said(request).flatMap((item) => {
      const key = `${item.role}\0${item.callId ?? ""}\0${item.text}`
      if (seen.has(key)) return []
      seen.add(key)
      return [{ request: index, ...item }]
    })
  })
}

/** Results of tool calls as the model saw them: output, refusals, replaced output. */
export const toolResults = (run: AgentRun): ReadonlyArray<Received> =>
  received(run).filter((item) => item.role === "tool")

/** Pieces that hold `text`, whichever way it came; empty means the model never heard of it. */
export const heard = (run: AgentRun, text: string): ReadonlyArray<Received> =>
  received(run).filter((item) => item.text.includes(text))

export interface HookWords {
  /** Context added by hooks, without the agent's wrapping. */
  readonly contexts: ReadonlyArray<string>
  /** Why hooks refused or took back a tool call. */
  readonly toolBlocks: ReadonlyArray<string>
  /** Why hooks did not let the agent stop. */
  readonly stopBlocks: ReadonlyArray<string>
}

/**
 * Unwraps what hooks said. Codex and Gemini put a reason in place of a tool's output, or into the next prompt, without
 * a mark of their own: there only the marked ways are found, and `heard` is for the rest.
 */
export const hookWords = (run: AgentRun): HookWords => {
  const items = received(run)
  const all = (pattern: RegExp, of: ReadonlyArray<Received> = items) =>
    of.flatMap(({ text }) => [...text.matchAll(pattern)].map((match) => (match[1] ?? "").trim()))
  const tools = items.filter((item) => item.role === "tool")
  if (run.agent === "claude-code") {
    const notices = items.filter((item) => item.role !== "tool")
    return {
      contexts: all(
        /^\w+(?::\S+)? hook (?:additional context|success): ([\s\S]*?)(?=\n\n|\n<\/system-reminder>|$(?![\s\S]))/gm,
        notices
      ),
      toolBlocks: [
        ...all(/^PreToolUse:\S+ hook error: (?:\[.*?\]: )?([\s\S]*)$/g, tools),
        ...all(
          /^PostToolUse:\S+ hook blocking error from command: ".*?": (?:\[.*?\]: )?([\s\S]*?)(?=\n\n|$(?![\s\S]))/gm,
          notices
        )
      ],
      // Since 2.1.332 between marks of its own.
      stopBlocks: all(
        /(?:^|\n)Stop hook feedback:\n(?:\[.*?\]: )?([\s\S]*?)(?:\n<\/system-reminder>)?$/g,
        notices
      )
    }
  }
  if (run.agent === "codex") {
    const own = /^(<\w+|You are )/
    const developer = items.filter((item) => item.role === "developer" && !own.test(item.text))
    return {
      contexts: developer.map((item) => item.text),
      toolBlocks: all(/^Command blocked by PreToolUse hook: ([\s\S]*)\. Command: /g, tools),
      stopBlocks: all(/<hook_prompt [^>]*>([\s\S]*?)<\/hook_prompt>/g)
    }
  }
  return {
    contexts: all(/<hook_context>([\s\S]*?)<\/hook_context>/g).map((text) =>
      text.replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    ),
    toolBlocks: all(/^Tool execution blocked: ([\s\S]*)$/g, tools),
    // A refused stop is the next prompt: words of the user after the model has already spoken.
    stopBlocks: items.filter((item) => item.role === "user" && item.request > 0).map((item) => item.text)
  }
}

type Said = Omit<Received, "request">
type Node = Readonly<Record<string, unknown>>

const said = ({ body, dialect }: ModelRequest): ReadonlyArray<Said> => {
  if (dialect === "anthropic") return list(body["messages"]).flatMap(anthropic)
  if (dialect === "chat") return list(body["messages"]).flatMap(chat)
  return dialect === "openai" ? list(body["input"]).flatMap(openai) : list(body["contents"]).flatMap(gemini)
}

const anthropic = (message: Node): ReadonlyArray<Said> => {
  const role = String(message["role"])
  if (typeof message["content"] === "string") return [{ role, text: message["content"] }]
  return list(message["content"]).flatMap((block): ReadonlyArray<Said> => {
    if (block["type"] === "text") return [{ role, text: String(block["text"]) }]
    if (block["type"] !== "tool_result") return []
    return [
      {
        role: "tool",
        callId: String(block["tool_use_id"]),
        failed: block["is_error"] === true,
        text: textOf(block["content"])
      }
    ]
  })
}

const chat = (message: Node): ReadonlyArray<Said> => {
  if (message["content"] === null || message["content"] === undefined) return []
  const text = textOf(message["content"])
  const role = String(message["role"])
  return role === "tool" ? [{ role, callId: String(message["tool_call_id"]), text }] : [{ role, text }]
}

const openai = (item: Node): ReadonlyArray<Said> => {
  if (item["type"] === "message") return [{ role: String(item["role"]), text: textOf(item["content"]) }]
  if (!String(item["type"]).endsWith("_call_output")) return []
  return [{ role: "tool", callId: String(item["call_id"]), text: textOf(item["output"]) }]
}

const gemini = (content: Node): ReadonlyArray<Said> =>
  list(content["parts"]).flatMap((part): ReadonlyArray<Said> => {
    if (typeof part["text"] === "string") return [{ role: String(content["role"]), text: part["text"] }]
    const result = part["functionResponse"] as Node | undefined
    if (result === undefined) return []
    const response = (result["response"] ?? {}) as Node
    const failed = response["error"] !== undefined
    return [
      {
        role: "tool",
        callId: String(result["id"] ?? result["name"]),
        failed,
        text: textOf(failed ? response["error"] : response["output"])
      }
    ]
  })

const list = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? (value as ReadonlyArray<Node>) : []

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value))
    return list(value)
      .map((part) => String(part["text"] ?? ""))
      .join("\n")
  return JSON.stringify(value) ?? ""
}
