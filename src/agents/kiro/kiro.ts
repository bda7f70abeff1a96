/**
 * The adapter of Kiro, CLI and editor, whose hooks stand in files of their own since CLI 3: from its pages, not exercised with Kiro
 * itself. Kiro CLI 2 sends the same payloads to what its agents' files name, under other names of the events.
 */
import type { Given } from "../decode.ts"
import { exitMeansBlock } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type KiroEvent, kiroPayloads } from "./payloads.ts"
import { kiroRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in KiroEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreToolUse: { event: "tool.before" },
  PostToolUse: { event: "tool.after" },
  Stop: { event: "turn.stop" }
}

/** What others call the agent's last message. */
const asOthers = (fields: Given): Given => ({
  ...fields,
  text: (field) => fields.text(field === "last_assistant_message" ? "assistant_response" : field)
})

export const kiro = makeAdapter({
  agent: "kiro",
  rows,
  payloads: kiroPayloads,
  readEvent: (event, fields, native) => readFamiliar(event, asOthers(fields), (of) => readCall(native, of)),
  rules: kiroRules,
  dialect: { exit: exitMeansBlock }
})
