/** What Codex does with a hook's reply, event by event (as of 0.171.0). It drops a document with one unknown field. */
import type { Fields, Shape } from "../shape.ts"
import { at, no, orExit2, type Rules, type Way } from "../ways.ts"
import type { CodexEvent } from "./payloads.ts"

const universal = {
  "continue?": "boolean",
  "stopReason?": "string",
  "suppressOutput?": "boolean",
  "systemMessage?": "string"
} as const satisfies Fields
const decidable = {
  ...universal,
  "decision?": { oneOf: ["block"] },
  "reason?": "string"
} as const satisfies Fields

const specific = (event: CodexEvent, fields: Fields): Fields => ({
  "hookSpecificOutput?": { only: { hookEventName: { oneOf: [event] }, ...fields } }
})
const context = { "additionalContext?": "string" } as const satisfies Fields
const plain: Shape = { only: universal }

const toModel: Way = at("hookSpecificOutput.additionalContext")
const toUser: Way = at("systemMessage")
const blockJson: Way = orExit2(at("reason", undefined, { decision: "block" }))
const tooLate = no("the tool already ran")
const noBlock = (what: string): Way => no(`Codex has no way to stop ${what}`)

const starting = (event: CodexEvent, what: string): Rules => ({
  output: { only: { ...universal, ...specific(event, context) } },
  command: { context: toModel, hint: toUser, block: noBlock(what) }
})
/** Tells its hooks and listens to none: even a document that is no JSON passes. */
const watching = (what: string): Rules => ({
  command: { hint: no(`Codex reads no document at ${what}`), block: noBlock(what) }
})
const stop: Rules = {
  output: { only: decidable },
  command: { hint: toUser, block: blockJson }
}

export const codexRules: { readonly [E in CodexEvent]: Rules } = {
  SessionStart: starting("SessionStart", "the start of a session"),
  SubagentStart: starting("SubagentStart", "the start of a subagent"),
  UserPromptSubmit: {
    output: { only: { ...decidable, ...specific("UserPromptSubmit", context) } },
    command: { context: toModel, hint: toUser, block: blockJson }
  },
  PreModelRequest: watching("a request to the model"),
  PostModelRequest: watching("a request to the model"),
  PreToolUse: {
    output: {
      only: {
        ...decidable,
        ...specific("PreToolUse", {
          ...context,
          "permissionDecision?": { oneOf: ["allow", "deny"] },
          "permissionDecisionReason?": "string",
          "updatedInput?": "object"
        })
      }
    },
    command: {
      context: toModel,
      hint: toUser,
      // Neither is valid without the other.
      allow: at("hookSpecificOutput.permissionDecision", "allow"),
      input: at("hookSpecificOutput.updatedInput", undefined, {
        "hookSpecificOutput.permissionDecision": "allow"
      }),
      ask: no("Codex does not support permission ask"),
      output: no("the tool has not run yet"),
      block: orExit2(
        at("hookSpecificOutput.permissionDecisionReason", undefined, {
          "hookSpecificOutput.permissionDecision": "deny"
        })
      )
    }
  },
  PermissionRequest: {
    output: {
      only: {
        ...universal,
        ...specific("PermissionRequest", {
          "decision?": { only: { behavior: { oneOf: ["allow", "deny"] }, "message?": "string" } }
        })
      }
    },
    command: {
      hint: toUser,
      allow: at("hookSpecificOutput.decision.behavior", "allow"),
      ask: { unsaid: "Codex is about to ask" },
      input: no("Codex reserves a changed input here and denies the call for it"),
      output: no("the tool has not run yet"),
      block: orExit2(
        at("hookSpecificOutput.decision.message", undefined, {
          "hookSpecificOutput.decision.behavior": "deny"
        })
      )
    }
  },
  PostToolUse: {
    output: { only: { ...decidable, ...specific("PostToolUse", context) } },
    command: {
      context: toModel,
      hint: toUser,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: no("Codex does not support a changed output; a block stands in for the result"),
      block: blockJson
    }
  },
  PreCompact: { output: plain, command: { hint: toUser, block: noBlock("a compaction") } },
  PostCompact: { output: plain, command: { hint: toUser, block: noBlock("a compaction") } },
  Stop: stop,
  SubagentStop: stop,
  Interrupt: {
    output: { only: { "systemMessage?": "string" } },
    command: { hint: toUser, block: noBlock("an interrupt") }
  },
  SessionEnd: watching("the end of a session")
}
