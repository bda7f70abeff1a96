/** The adapter of Factory's Droid, which has Claude Code's events and answers, and fields in two cases. */
import type { Given } from "../decode.ts"
import { exitMeansBlock } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { type DroidEvent, droidPayloads } from "./payloads.ts"
import { droidRules } from "./rules.ts"
import { readCall } from "./tools.ts"

const rows: { readonly [E in DroidEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  UserPromptSubmit: { event: "prompt.submit" },
  PreToolUse: { event: "tool.before" },
  PostToolUse: { event: "tool.after" },
  Notification: { event: "notify" },
  Stop: { event: "turn.stop" },
  SubagentStop: { event: "subagent.stop" },
  PreCompact: { event: "compact.before" },
  SessionEnd: { event: "session.end" }
}

const camel = (field: string): string =>
  field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A field in snake case, or the same in camel case. */
const inEitherCase = (fields: Given): Given => ({
  text: (field) => fields.text(field) ?? fields.text(camel(field)),
  number: (field) => fields.number(field) ?? fields.number(camel(field)),
  flag: (field) => fields.flag(field) || fields.flag(camel(field)),
  json: (field) => fields.json(field) ?? fields.json(camel(field))
})

export const droid = makeAdapter({
  agent: "droid",
  rows,
  payloads: droidPayloads,
  readEvent: (event, fields, native) =>
    readFamiliar(event, inEitherCase(fields), (of) => readCall(native, of)),
  rules: droidRules,
  dialect: {
    specific: (hookEventName) => ({ hookEventName }),
    withheld: (wish, reply, _tool, native) =>
      wish === "context" && native === "UserPromptSubmit" && reply.blocks.length > 0
        ? "the model is not called after a block at this event"
        : undefined,
    exit: exitMeansBlock
  }
})
