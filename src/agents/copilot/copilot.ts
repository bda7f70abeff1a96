/**
 * The adapter of GitHub Copilot CLI. It knows two spellings of its events, and sends another payload to each; `preToolUse` would
 * come without its own name, `PreToolUse` has the fields that other agents have. We register the latter.
 */
import { exitCodes } from "../../../events/exitCodes.ts"
import { dispatched } from "../derive.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { stringAt } from "../toolCall.ts"
import { type CopilotEvent, copilotPayloads } from "./payloads.ts"
import { copilotRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in CopilotEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreToolUse: { event: "tool.before" },
  PostToolUse: { event: "tool.after" },
  PostToolUseFailure: { event: "tool.failure" },
  SubagentStop: { event: "subagent.stop" },
  Stop: { event: "turn.stop" },
  ErrorOccurred: { event: "turn.error" },
  PreCompact: { event: "compact.before" },
  SessionEnd: { event: "session.end" }
}

export const copilot = makeAdapter({
  agent: "copilot",
  rows,
  payloads: copilotPayloads,
  readEvent: (event, fields, native) =>
    event === "turn.error"
      ? {
          event: dispatched(event, {
            error: fields.text("error_context") ?? "unknown",
            details: stringAt(fields.json("error"), "message") ?? ""
          })
        }
      : readFamiliar(event, fields, (of) => readCall(native, of)),
  rules: copilotRules,
  dialect: {
    withheld: (wish, reply, _tool, native) => {
      if (wish === "context" && native === "UserPromptSubmit" && reply.blocks.length > 0)
        return "the model is not called after a block at this event"
      return wish === "output" && typeof reply.updatedOutput?.value !== "string"
        ? "Copilot CLI takes a text as a changed output"
        : undefined
    },
    exit: (code) =>
      code === exitCodes.success
        ? undefined
        : code === exitCodes.blocking
          ? "exit code 2 is how a block is said; use blockingFeedback"
          : "Copilot CLI denies a call whose hook ends with another exit code than 0"
  }
})
