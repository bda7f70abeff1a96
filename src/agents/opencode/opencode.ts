/** The adapter of OpenCode, which has no command hooks: a plugin of ours in it (`src/tools/install/opencodePlugin.ts`) says what happens, in these events. */
import { exitMeansBlock } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type OpencodeEvent, opencodePayloads } from "./payloads.ts"
import { opencodeRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in OpencodeEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreToolUse: { event: "tool.before" },
  PostToolUse: { event: "tool.after" },
  PostToolUseFailure: { event: "tool.failure" },
  Notification: { event: "notify" },
  SubagentStart: { event: "subagent.start" },
  SubagentStop: { event: "subagent.stop" },
  Stop: { event: "turn.stop" },
  StopFailure: { event: "turn.error" },
  Interrupt: { event: "turn.interrupt" },
  PreCompact: { event: "compact.before" },
  PostCompact: { event: "compact.after" },
  SessionEnd: { event: "session.end" }
}

export const opencode = makeAdapter({
  agent: "opencode",
  rows,
  payloads: opencodePayloads,
  readEvent: (event, fields, native) => readFamiliar(event, fields, (of) => readCall(native, of)),
  rules: opencodeRules,
  dialect: {
    withheld: (wish, reply, _tool, native) => {
      if (wish === "context" && reply.blocks.length > 0 && native === "UserPromptSubmit")
        return "the model is not called after a block at this event"
      if (wish === "context" && reply.blocks.length > 0 && native === "PreToolUse")
        return "a call that is blocked has no result to stand beside"
      return wish === "output" && typeof reply.updatedOutput?.value !== "string"
        ? "OpenCode takes a text as a changed output"
        : undefined
    },
    exit: exitMeansBlock
  }
})
