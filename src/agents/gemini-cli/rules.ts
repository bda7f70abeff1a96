/** What Gemini CLI does with a hook's reply, event by event (as of 0.61.0). */
import type { Fields, Shape } from "../shape.ts"
import { at, no, type Rules, type Way } from "../ways.ts"
import type { GeminiCliEvent } from "./payloads.ts"

const document = (specific?: Fields): Shape => ({
  only: {
    "continue?": "boolean",
    "stopReason?": "string",
    "suppressOutput?": "boolean",
    "systemMessage?": "string",
    "decision?": { oneOf: ["allow", "approve", "deny", "block", "ask"] },
    "reason?": "string",
    ...(specific ? { "hookSpecificOutput?": { only: { "hookEventName?": "string", ...specific } } } : {})
  }
})
const context = { "additionalContext?": "string" } as const satisfies Fields

const toModel: Way = at("hookSpecificOutput.additionalContext")
const toUser: Way = at("systemMessage")
/** A hook that ends with another code than 0 blocks just the same, but the human is told that it failed. */
const deny: Way = { ...at("reason", undefined, { decision: "deny" }), orExit: 2 }
const tooLate = no("the tool already ran")
const cannotStop = (what: string): Way => no(`Gemini CLI does not let a hook stop ${what}`)

export const geminiCliRules: { readonly [E in GeminiCliEvent]: Rules } = {
  SessionStart: {
    output: document(context),
    command: { context: toModel, hint: toUser, block: cannotStop("the start of a session") }
  },
  SessionEnd: { output: document(), command: { hint: toUser, block: cannotStop("the end of a session") } },
  BeforeAgent: {
    output: document(context),
    command: { context: toModel, hint: toUser, block: deny }
  },
  AfterAgent: { output: document(), command: { hint: toUser, block: deny } },
  BeforeModel: { output: document(), command: { hint: toUser, block: deny } },
  AfterModel: { output: document(), command: { hint: toUser, block: deny } },
  BeforeToolSelection: {
    command: {
      hint: no("Gemini CLI takes only a choice of tools at this event"),
      block: cannotStop("the choice of tools")
    }
  },
  BeforeTool: {
    output: document({ "tool_input?": "object" }),
    command: {
      hint: toUser,
      allow: no("Gemini CLI asks its question all the same"),
      ask: no(
        "Gemini CLI does not say whether anybody can be asked, and headless it ends over a question without a word"
      ),
      input: at("hookSpecificOutput.tool_input"),
      output: no("the tool has not run yet"),
      block: deny
    }
  },
  AfterTool: {
    output: document(context),
    command: {
      context: toModel,
      hint: toUser,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: no("Gemini CLI can only hide a result; a block does that"),
      block: deny
    }
  },
  Notification: {
    output: document(),
    command: { hint: toUser, block: cannotStop("a notification") }
  },
  PreCompress: { output: document(), command: { hint: toUser, block: cannotStop("a compression") } }
}
