/** What Factory's Droid does with a hook's reply, event by event, as its pages have it (August 2026). */
import type { Fields, Shape } from "../shape.ts"
import { at, no, orExit2, type Rules, type Way } from "../ways.ts"
import type { DroidEvent } from "./payloads.ts"

const document = (specific?: Fields): Shape => ({
  only: {
    "continue?": "boolean",
    "stopReason?": "string",
    "suppressOutput?": "boolean",
    "systemMessage?": "string",
    "decision?": { oneOf: ["block"] },
    "reason?": "string",
    ...(specific ? { "hookSpecificOutput?": { only: { hookEventName: "string", ...specific } } } : {})
  }
})
const context = { "additionalContext?": "string" } as const satisfies Fields

const toModel: Way = at("hookSpecificOutput.additionalContext")
const toUser: Way = at("systemMessage")
const blockJson: Way = orExit2(at("reason", undefined, { decision: "block" }))
const tooLate = no("the tool already ran")
const noPlace = no("Droid's pages name no place for it at this event")
const cannotStop = (what: string): Way => no(`${what} cannot be stopped`)

const heard = (block: Way): Rules => ({
  output: document(),
  command: { context: noPlace, hint: toUser, block }
})
const stop: Rules = heard(blockJson)

export const droidRules: { readonly [E in DroidEvent]: Rules } = {
  SessionStart: {
    output: document(context),
    command: { context: toModel, hint: toUser, block: cannotStop("the start of a session") }
  },
  UserPromptSubmit: {
    output: document(context),
    command: { context: toModel, hint: toUser, block: blockJson }
  },
  PreToolUse: {
    output: document({
      "permissionDecision?": { oneOf: ["allow", "deny", "ask"] },
      "permissionDecisionReason?": "string",
      "updatedInput?": "object"
    }),
    command: {
      context: noPlace,
      hint: toUser,
      allow: at("hookSpecificOutput.permissionDecision", "allow"),
      ask: at("hookSpecificOutput.permissionDecisionReason", undefined, {
        "hookSpecificOutput.permissionDecision": "ask"
      }),
      input: at("hookSpecificOutput.updatedInput"),
      output: no("the tool has not run yet"),
      block: orExit2(
        at("hookSpecificOutput.permissionDecisionReason", undefined, {
          "hookSpecificOutput.permissionDecision": "deny"
        })
      )
    }
  },
  PostToolUse: {
    output: document(context),
    command: {
      context: toModel,
      hint: toUser,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: no("Droid takes no other result"),
      block: blockJson
    }
  },
  Notification: heard(cannotStop("a notification")),
  Stop: stop,
  SubagentStop: stop,
  PreCompact: heard(cannotStop("the compaction")),
  SessionEnd: heard(cannotStop("the end of a session"))
}
