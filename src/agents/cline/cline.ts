/** The adapter of Cline: a plugin of ours in it (`src/tools/install/clinePlugin.ts`) says what happens, in these events. */
import { exitMeansBlock } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type ClineEvent, clinePayloads } from "./payloads.ts"
import { clineRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in ClineEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreToolUse: { event: "tool.before" },
  PostToolUse: { event: "tool.after" },
  PostToolUseFailure: { event: "tool.failure" },
  SubagentStart: { event: "subagent.start" },
  SubagentStop: { event: "subagent.stop" },
  Stop: { event: "turn.stop" },
  StopFailure: { event: "turn.error" },
  Interrupt: { event: "turn.interrupt" }
}

export const cline = makeAdapter({
  agent: "cline",
  rows,
  payloads: clinePayloads,
  readEvent: (event, fields, native) => readFamiliar(event, fields, (of) => readCall(native, of)),
  rules: clineRules,
  dialect: {
    withheld: (wish, reply, _tool, native) => {
      if (wish === "context" && reply.blocks.length > 0 && native === "UserPromptSubmit")
        return "the model is not called after a block at this event"
      if (wish === "context" && reply.blocks.length > 0 && native === "PreToolUse")
        return "a call that is blocked has no result to stand beside"
      return wish === "output" && typeof reply.updatedOutput?.value !== "string"
        ? "Cline takes a text as a changed output"
        : undefined
    },
    exit: exitMeansBlock
  }
})
