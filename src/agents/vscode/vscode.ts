/** The adapter of the agent in VS Code's chat: from its pages and its published source, not exercised with VS Code itself. */
import { exitMeansBlock } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type VscodeEvent, vscodePayloads } from "./payloads.ts"
import { vscodeRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in VscodeEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreToolUse: { event: "tool.before" },
  PostToolUse: { event: "tool.after" },
  SubagentStart: { event: "subagent.start" },
  SubagentStop: { event: "subagent.stop" },
  PreCompact: { event: "compact.before" },
  // Its pages call it the end of the session; what it can do is keep the turn going.
  Stop: { event: "turn.stop" }
}

export const vscode = makeAdapter({
  agent: "vscode",
  rows,
  payloads: vscodePayloads,
  readEvent: (event, fields, native) => readFamiliar(event, fields, (of) => readCall(native, of)),
  rules: vscodeRules,
  dialect: {
    specific: (hookEventName) => ({ hookEventName }),
    exit: exitMeansBlock
  }
})
