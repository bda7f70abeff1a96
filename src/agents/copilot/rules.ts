/** What GitHub Copilot CLI does with a hook's reply, event by event (seen with 1.0.102; subagents and errors as documented). */
import type { Fields } from "../shape.ts"
import { at, no, orExit2, type Rules, type Way, type Ways } from "../ways.ts"
import type { CopilotEvent } from "./payloads.ts"

const noHint = no("Copilot CLI shows the human nothing of what a hook answers")
const tooLate = no("the tool already ran")
const discarded = no("Copilot CLI discards what a hook answers at this event")
const cannotStop = (what: string): Way => no(`${what} cannot be stopped`)

const contextField = { "additionalContext?": "string" } as const satisfies Fields
const decision = { "decision?": { oneOf: ["block"] }, "reason?": "string" } as const satisfies Fields
const toModel: Way = at("additionalContext")
const blockJson: Way = at("reason", undefined, { decision: "block" })

const afterTool: Ways = {
  context: toModel,
  hint: noHint,
  allow: tooLate,
  ask: tooLate,
  input: tooLate,
  // Nothing is undone any more, but the model reads the reason.
  block: toModel
}
const deaf = (block: Way): Rules => ({ command: { context: discarded, hint: noHint, block } })
const stop: Rules = { output: { only: decision }, command: { hint: noHint, block: blockJson } }

export const copilotRules: { readonly [E in CopilotEvent]: Rules } = {
  SessionStart: {
    output: { only: contextField },
    command: { context: toModel, hint: noHint, block: cannotStop("the start of a session") }
  },
  UserPromptSubmit: {
    output: { only: { ...contextField, ...decision } },
    command: { context: toModel, hint: noHint, block: blockJson }
  },
  PreToolUse: {
    output: {
      only: {
        ...contextField,
        "permissionDecision?": { oneOf: ["allow", "deny", "ask"] },
        "permissionDecisionReason?": "string",
        "modifiedArgs?": "object"
      }
    },
    command: {
      context: toModel,
      hint: noHint,
      allow: at("permissionDecision", "allow"),
      // Where nobody can be asked Copilot CLI denies the call itself, and the model reads the reason.
      ask: at("permissionDecisionReason", undefined, { permissionDecision: "ask" }),
      input: at("modifiedArgs"),
      output: no("the tool has not run yet"),
      // By exit code the call is denied as well, but the reason is lost.
      block: orExit2(at("permissionDecisionReason", undefined, { permissionDecision: "deny" }))
    }
  },
  PostToolUse: {
    output: {
      only: {
        ...contextField,
        "modifiedResult?": { only: { resultType: { oneOf: ["success"] }, textResultForLlm: "string" } }
      }
    },
    command: {
      ...afterTool,
      output: at("modifiedResult.textResultForLlm", undefined, { "modifiedResult.resultType": "success" })
    }
  },
  PostToolUseFailure: { output: { only: contextField }, command: afterTool },
  SubagentStop: stop,
  Stop: stop,
  ErrorOccurred: deaf(cannotStop("an error")),
  PreCompact: deaf(cannotStop("the compaction")),
  SessionEnd: deaf(cannotStop("the end of a session"))
}
