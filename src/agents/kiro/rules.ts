/**
 * What Kiro does with a hook's end, event by event, as its pages have it (September 2026). It hands the model all of standard output
 * as it stands, so that text for the model is read in a document of one field; of documents it understands a refused stop alone.
 */
import type { Fields, Shape } from "../shape.ts"
import { at, exit2, no, type Rules, type Way } from "../ways.ts"
import type { KiroEvent } from "./payloads.ts"

const only = (fields: Fields): Shape => ({ only: fields })

const noHint = no("Kiro shows the human nothing of what a hook answers")
const notAsked = no("Kiro has no question that a hook could answer")
const noChange = no("Kiro takes no change of a call from a hook")
const noPlace = no("Kiro's pages name no place for it at this event")
const tooLate = no("the tool already ran")

const told = (block: Way): Rules => ({
  output: only({ "additionalContext?": "string" }),
  command: { context: at("additionalContext"), hint: noHint, block }
})

export const kiroRules: { readonly [E in KiroEvent]: Rules } = {
  SessionStart: told(no("the start of a session cannot be stopped")),
  UserPromptSubmit: told(exit2),
  PreToolUse: {
    command: {
      context: noPlace,
      hint: noHint,
      allow: notAsked,
      ask: notAsked,
      input: noChange,
      output: no("the tool has not run yet"),
      block: exit2
    }
  },
  PostToolUse: {
    command: {
      context: noPlace,
      hint: noHint,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: noChange,
      // Nothing is undone any more, but the model reads the reason.
      block: exit2
    }
  },
  Stop: {
    output: only({ decision: { oneOf: ["block"] }, reason: "string" }),
    command: { context: noPlace, hint: noHint, block: at("reason", undefined, { decision: "block" }) }
  }
}
