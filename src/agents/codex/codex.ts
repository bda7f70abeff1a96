/** The adapter of Codex. */
import type { Tool } from "../../../events/agentEvents.ts"
import { exitCodes } from "../../../events/exitCodes.ts"
import { dispatched } from "../derive.ts"
import type { Dialect } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { changedInput, type Reply } from "../reply.ts"
import { isObject } from "../shape.ts"
import { stringAt } from "../toolCall.ts"
import { type CodexEvent, codexPayloads } from "./payloads.ts"
import { codexRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in CodexEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreModelRequest: { event: "model.before", register: "on demand" },
  PostModelRequest: { event: "model.after", register: "on demand" },
  PreToolUse: { event: "tool.before" },
  PermissionRequest: { event: "tool.permission" },
  PostToolUse: { event: "tool.after" },
  PreCompact: { event: "compact.before" },
  PostCompact: { event: "compact.after" },
  SubagentStart: { event: "subagent.start" },
  SubagentStop: { event: "subagent.stop" },
  Stop: { event: "turn.stop" },
  Interrupt: { event: "turn.interrupt" },
  SessionEnd: { event: "session.end" }
}

/** At PreToolUse Codex takes a changed input and permission allow only together, and drops the whole reply otherwise. */
const inputRefused = (reply: Reply, tool: Tool | undefined): string | undefined => {
  const { permission, updatedInput } = reply
  if (updatedInput === undefined) return "Codex takes permission allow only together with a changed input"
  if (permission === "ask")
    return "Codex takes a changed input only with permission allow, and ask is asked for"
  if (!isObject(tool?.input)) return "the tool's own input is not known"
  return tool.kind === "shell" && stringAt(changedInput(reply, tool.input) ?? {}, "command") === undefined
    ? "Codex wants the command of a shell tool to be a string"
    : undefined
}

/** What does not depend on the event. */
export const dialect: Dialect = {
  // The limit is 2,500 tokens; about four characters each.
  contextLimit: { characters: 10_000, beyond: "Codex may show only its head and tail" },
  specific: (hookEventName) => ({ hookEventName }),
  withheld: (wish, reply, tool, native) => {
    if (wish === "context" && native === "UserPromptSubmit" && reply.blocks.length > 0)
      return "the model is not called after a block at this event"
    return native === "PreToolUse" && (wish === "allow" || wish === "input")
      ? inputRefused(reply, tool)
      : undefined
  },
  exit: (code, said) =>
    code === exitCodes.success
      ? undefined
      : code === exitCodes.blocking
        ? "exit code 2 is how a block is said; use blockingFeedback"
        : said
          ? "Codex drops the reply of a hook that ends with another exit code than 0"
          : undefined
}

export const codex = makeAdapter({
  agent: "codex",
  rows,
  payloads: codexPayloads,
  readEvent: (event, fields, native) =>
    event === "model.after"
      ? // Once per answer, which Codex does not tell its hooks.
        { event: dispatched(event, { text: "", final: true }) }
      : readFamiliar(event, fields, (of) => readCall(native, of)),
  rules: codexRules,
  dialect
})
