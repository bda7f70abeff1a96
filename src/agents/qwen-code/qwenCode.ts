/** The adapter of Qwen Code: Gemini CLI's tools and their results, with hooks in the words of Claude Code. */
import { exitMeansBlock } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type QwenCodeEvent, qwenCodePayloads } from "./payloads.ts"
import { qwenCodeRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in QwenCodeEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreToolUse: { event: "tool.before" },
  PermissionRequest: { event: "tool.permission" },
  PostToolUse: { event: "tool.after" },
  PostToolUseFailure: { event: "tool.failure" },
  Notification: { event: "notify" },
  SubagentStart: { event: "subagent.start" },
  SubagentStop: { event: "subagent.stop" },
  Stop: { event: "turn.stop" },
  StopFailure: { event: "turn.error" },
  PreCompact: { event: "compact.before" },
  PostCompact: { event: "compact.after" },
  SessionEnd: { event: "session.end" }
}

export const qwenCode = makeAdapter({
  agent: "qwen-code",
  rows,
  payloads: qwenCodePayloads,
  readEvent: (event, fields, native) => {
    // The results of tools go to the model by the way of a prompt: without a word of the human, and no prompt for a hook.
    if (event === "prompt.submit" && fields.text("prompt") === "")
      return { event: { event: `agent.${native}`, data: {} } }
    const reading = readFamiliar(event, fields, (of) => readCall(native, of))
    // Set at the first stop already, so it says nothing. How often hooks kept the agent going is told from the log.
    return event === "turn.stop"
      ? { ...reading, event: { event, data: { ...reading.event.data, stopHookActive: false } } }
      : reading
  },
  rules: qwenCodeRules,
  dialect: {
    readsStderr: true,
    specific: (hookEventName) => ({ hookEventName }),
    withheld: (wish, reply, _tool, native) => {
      if (wish === "context" && native === "UserPromptSubmit" && reply.blocks.length > 0)
        return "the model is not called after a block at this event"
      return native === "PermissionRequest" && wish === "input" && reply.permission !== "allow"
        ? "Qwen Code takes a changed input here only together with permission allow"
        : undefined
    },
    exit: exitMeansBlock
  }
})
