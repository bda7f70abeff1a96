/** What VS Code does with a hook's reply, event by event, as its pages and its published source have it (September 2026). */
import type { Fields, Shape } from "../shape.ts"
import { at, exit2, no, orExit2, type Rules, type Way } from "../ways.ts"
import type { VscodeEvent } from "./payloads.ts"

const decision = { "decision?": { oneOf: ["block"] }, "reason?": "string" } as const satisfies Fields
const context = { "additionalContext?": "string" } as const satisfies Fields

const document = (specific?: Fields, top: Fields = {}): Shape => ({
  only: {
    "systemMessage?": "string",
    ...top,
    ...(specific ? { "hookSpecificOutput?": { only: { hookEventName: "string", ...specific } } } : {})
  }
})

const toModel: Way = at("hookSpecificOutput.additionalContext")
const toUser: Way = at("systemMessage")
const noPlace = no("VS Code has no place for it at this event")
const tooLate = no("the tool already ran")
const cannotStop = (what: string): Way => no(`${what} cannot be stopped`)
const permission = "hookSpecificOutput.permissionDecision"
const why = "hookSpecificOutput.permissionDecisionReason"

/** Where only the human hears. */
const heard = (block: Way): Rules => ({
  output: document(),
  command: { context: noPlace, hint: toUser, block }
})
const start = (what: string): Rules => ({
  output: document(context),
  command: { context: toModel, hint: toUser, block: cannotStop(what) }
})

export const vscodeRules: { readonly [E in VscodeEvent]: Rules } = {
  SessionStart: start("the start of a session"),
  UserPromptSubmit: {
    output: document(context),
    command: { context: toModel, hint: toUser, block: exit2 }
  },
  PreToolUse: {
    output: document({
      "permissionDecision?": { oneOf: ["allow", "deny", "ask"] },
      "permissionDecisionReason?": "string",
      "updatedInput?": "object",
      ...context
    }),
    command: {
      context: toModel,
      hint: toUser,
      allow: at(permission, "allow"),
      ask: at(why, undefined, { [permission]: "ask" }),
      input: at("hookSpecificOutput.updatedInput"),
      output: no("the tool has not run yet"),
      block: orExit2(at(why, undefined, { [permission]: "deny" }))
    }
  },
  PostToolUse: {
    output: document(context, decision),
    command: {
      context: toModel,
      hint: toUser,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: no("VS Code takes no other result"),
      block: orExit2(at("reason", undefined, { decision: "block" }))
    }
  },
  SubagentStart: start("the start of a subagent"),
  // Its pages have the decision at the top, its source has it one level down: the exit code is the same to both.
  SubagentStop: heard(exit2),
  PreCompact: heard(cannotStop("the compaction")),
  Stop: {
    output: document(decision),
    command: {
      context: noPlace,
      hint: toUser,
      block: orExit2(at("hookSpecificOutput.reason", undefined, { "hookSpecificOutput.decision": "block" }))
    }
  }
}
