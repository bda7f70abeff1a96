/** The adapter of Windsurf (Cascade): from its documentation, not exercised with Windsurf itself. */
import type { CanonicalEvent, PassedEvent, Tool } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { Adapter } from "../Adapter.ts"
import { type Given, present, type Reading, responseGiven } from "../decode.ts"
import { derivedFrom, dispatched } from "../derive.ts"
import { exitMeansBlock } from "../encode.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type Fields, isObject } from "../shape.ts"
import { type Call, isErrorResult, textOf } from "../toolCall.ts"
import { type WindsurfEvent, windsurfEnvelope, windsurfInfo } from "./payloads.ts"
import { windsurfRules } from "./rules.ts"

const rows: { readonly [E in WindsurfEvent]: EventRow } = {
  pre_user_prompt: { event: "prompt.submit" },
  pre_read_code: { event: "tool.before" },
  post_read_code: { event: "tool.after" },
  pre_write_code: { event: "tool.before" },
  post_write_code: { event: "tool.after" },
  pre_run_command: { event: "tool.before" },
  post_run_command: { event: "tool.after" },
  pre_mcp_tool_use: { event: "tool.before" },
  post_mcp_tool_use: { event: "tool.after" },
  post_cascade_response: { event: "turn.stop" },
  // The same moment told once more, without the text.
  post_cascade_response_with_transcript: { event: "turn.stop", register: "never" },
  post_setup_worktree: { event: "session.setup" }
}

/** What the tool would be called elsewhere: Windsurf tells what is done, not by which tool. */
const toolOf = (native: string, fields: Given, info: JsonObject): Tool | undefined => {
  const path = present("path", fields.text("file_path"))
  switch (native.replace(/^(pre|post)_/, "")) {
    case "read_code":
      return { kind: "read", name: "read_code", input: info, ...path }
    case "write_code":
      return { kind: "edit", name: "write_code", input: info, ...path }
    case "run_command":
      return {
        kind: "shell",
        name: "run_command",
        input: info,
        ...present("command", fields.text("command_line"))
      }
    case "mcp_tool_use": {
      const server = fields.text("mcp_server_name") ?? ""
      const name = `${server}/${fields.text("mcp_tool_name") ?? ""}`
      return { kind: "mcp", name, input: fields.json("mcp_tool_arguments") ?? null }
    }
    default:
      return undefined
  }
}

/** Of a command neither output nor exit code is told. */
const ranOf = (tool: Tool, fields: Given): Call => {
  const response = fields.json("mcp_result")
  const ok = tool.kind === "shell" ? undefined : !isErrorResult(response)
  const edited = tool.kind === "edit" && tool.path !== undefined
  return {
    tool: { ...tool, ...present("ok", ok), ...present("response", response) },
    changed: edited ? [{ path: tool.path, change: "update" }] : [],
    ...(ok === false ? { error: textOf(response) } : {})
  }
}

const infoOf = (payload: JsonObject): JsonObject => {
  const info = Object.hasOwn(payload, "tool_info") ? payload["tool_info"] : undefined
  return isObject(info) ? info : {}
}

const readEvent = (event: CanonicalEvent | PassedEvent, fields: Given, native: string): Reading => {
  const info = fields.json("tool_info")
  const tool = isObject(info) ? toolOf(native, fields, info) : undefined
  switch (event) {
    case "prompt.submit":
      return { event: dispatched(event, { prompt: fields.text("user_prompt") ?? "" }) }
    case "tool.before":
      return { event: dispatched(event, {}), tool }
    case "tool.after": {
      const call = tool && ranOf(tool, fields)
      return { event: dispatched(event, {}), tool: call?.tool, derived: call ? derivedFrom(call) : [] }
    }
    case "turn.stop": {
      const said = fields.text("response") ?? fields.text("cascade_response")
      return {
        event: dispatched(event, { stopHookActive: false, ...present("lastMessage", said) }),
        derived: responseGiven(said)
      }
    }
    case "session.setup":
      return { event: dispatched(event, { trigger: "worktree" }) }
    default:
      return { event: { event, data: {} } }
  }
}

/** One level: a wrong field in `tool_info` must not cost the others. */
const flat: { readonly [event: string]: Fields } = Object.fromEntries(
  Object.entries(windsurfInfo).map(([event, info]) => [
    event,
    { ...windsurfEnvelope, ...info, tool_info: "object" }
  ])
)

const adapter = makeAdapter({
  agent: "windsurf",
  rows,
  payloads: flat,
  readEvent,
  cwd: (fields) => fields.text("worktree_path"),
  rules: windsurfRules,
  dialect: {
    exit: exitMeansBlock
  }
})

export const windsurf: Adapter = {
  ...adapter,
  decode: (native, payload) => {
    const info = infoOf(payload)
    const decoded = adapter.decode(native, { ...info, ...payload })
    const isInner = (path: string): boolean => {
      const [head = ""] = path.split(/[.[]/, 1)
      return Object.hasOwn(info, head) && !Object.hasOwn(payload, head)
    }
    return { ...decoded, drift: decoded.drift.map((path) => (isInner(path) ? `tool_info.${path}` : path)) }
  }
}
