/**
 * What Qwen Code does with a hook's reply, event by event (as of 0.24.4): seen at SessionStart, UserPromptSubmit, PreToolUse,
 * PostToolUse, PostToolUseFailure, Notification and Stop, which are what it calls headless; the others as its program reads.
 */
import type { Fields, Shape } from "../shape.ts"
import { at, no, orExit2, type Rules, type Way, type Ways } from "../ways.ts"
import type { QwenCodeEvent } from "./payloads.ts"

const document = (specific?: Fields): Shape => ({
  only: {
    "continue?": "boolean",
    "stopReason?": "string",
    "suppressOutput?": "boolean",
    "systemMessage?": "string",
    "decision?": { oneOf: ["allow", "approve", "deny", "block", "ask"] },
    "reason?": "string",
    ...(specific ? { "hookSpecificOutput?": { only: { hookEventName: "string", ...specific } } } : {})
  }
})
const context = { "additionalContext?": "string" } as const satisfies Fields
const decision = {
  only: {
    behavior: { oneOf: ["allow", "deny"] },
    "updatedInput?": "object",
    "message?": "string",
    "interrupt?": "boolean"
  }
} as const satisfies Shape

const toModel: Way = at("hookSpecificOutput.additionalContext")
const blockJson: Way = orExit2(at("reason", undefined, { decision: "block" }))
const unshown = no("Qwen Code keeps a hook's message in its debug log at this event")
const discarded = no("Qwen Code discards what a hook answers at this event")
const tooLate = no("the tool already ran")
const cannotStop = (what: string): Way => no(`${what} cannot be stopped`)

const deaf = (block: Way): Rules => ({ command: { context: discarded, hint: unshown, block } })
const afterTool: Ways = {
  context: toModel,
  hint: unshown,
  allow: tooLate,
  ask: tooLate,
  input: tooLate,
  output: no("Qwen Code can only put an error in place of a result"),
  // Nothing is undone any more, but the model reads the reason beside the result.
  block: toModel
}

export const qwenCodeRules: { readonly [E in QwenCodeEvent]: Rules } = {
  SessionStart: {
    output: document(context),
    command: { context: toModel, hint: unshown, block: cannotStop("the start of a session") }
  },
  UserPromptSubmit: {
    output: document(context),
    command: { context: toModel, hint: unshown, block: blockJson }
  },
  PreToolUse: {
    output: document({
      "permissionDecision?": { oneOf: ["allow", "deny", "ask"] },
      "permissionDecisionReason?": "string"
    }),
    command: {
      context: no("Qwen Code drops it before a tool"),
      hint: unshown,
      allow: no("Qwen Code asks its question before it calls this event; PermissionRequest can answer it"),
      ask: no("Qwen Code denies a call on which a hook wants it to ask, and asks nobody"),
      input: no("Qwen Code takes a changed input only together with permission allow, at PermissionRequest"),
      output: no("the tool has not run yet"),
      block: orExit2(
        at("hookSpecificOutput.permissionDecisionReason", undefined, {
          "hookSpecificOutput.permissionDecision": "deny"
        })
      )
    }
  },
  PermissionRequest: {
    output: document({ "decision?": decision }),
    command: {
      hint: unshown,
      allow: at("hookSpecificOutput.decision.behavior", "allow"),
      ask: { unsaid: "Qwen Code is about to ask" },
      // Said only together with permission allow.
      input: at("hookSpecificOutput.decision.updatedInput", undefined, {
        "hookSpecificOutput.decision.behavior": "allow"
      }),
      output: no("the tool has not run yet"),
      // Exit code 2 does nothing here.
      block: at("hookSpecificOutput.decision.message", undefined, {
        "hookSpecificOutput.decision.behavior": "deny"
      })
    }
  },
  PostToolUse: { output: document(context), command: afterTool },
  PostToolUseFailure: { output: document(context), command: afterTool },
  Notification: deaf(cannotStop("a notification")),
  SubagentStart: {
    output: document(context),
    command: { context: toModel, hint: unshown, block: cannotStop("the start of a subagent") }
  },
  SubagentStop: { output: document(), command: { hint: unshown, block: blockJson } },
  Stop: { output: document(), command: { hint: at("systemMessage"), block: blockJson } },
  StopFailure: deaf(cannotStop("a turn that failed")),
  PreCompact: deaf(cannotStop("the compaction")),
  PostCompact: deaf(no("the conversation is compacted already")),
  SessionEnd: deaf(cannotStop("the end of a session"))
}
