/** What our plugin in Cline does with a hook's reply, event by event (seen with 3.0.65). */
import type { Fields, Shape } from "../shape.ts"
import { at, no, orExit2, type Rules, type Way } from "../ways.ts"
import type { ClineEvent } from "./payloads.ts"

const document = (own: Fields): Shape => ({ only: own })
const context = { "context?": "string" } as const satisfies Fields
const reason = { "reason?": "string" } as const satisfies Fields

const toModel: Way = at("context")
const unshown = no("Cline has no place for a hook's words to the human")
const blockJson: Way = orExit2(at("reason", undefined, { decision: "block" }))
const tooLate = no("the tool already ran")
const told = no("Cline tells of it when it is over")
const cannotStop = (what: string): Way => no(`${what} cannot be stopped`)

const observed = (block: Way): Rules => ({ command: { context: told, hint: unshown, block } })
const beginning = (what: string): Rules => ({
  output: document(context),
  command: { context: toModel, hint: unshown, block: cannotStop(what) }
})

export const clineRules: { readonly [E in ClineEvent]: Rules } = {
  SessionStart: beginning("the start of a session"),
  UserPromptSubmit: {
    output: document({ ...context, ...reason, "decision?": { oneOf: ["block"] } }),
    // The run ends with it; Cline keeps the reason to itself.
    command: { context: toModel, hint: unshown, block: blockJson }
  },
  PreToolUse: {
    output: document({
      ...context,
      ...reason,
      "decision?": { oneOf: ["block", "ask", "allow"] },
      "args?": "object"
    }),
    command: {
      // Behind the result of the call.
      context: toModel,
      hint: unshown,
      allow: at("decision", "allow"),
      ask: at("reason", undefined, { decision: "ask" }),
      input: at("args"),
      output: no("the tool has not run yet"),
      block: blockJson
    }
  },
  PostToolUse: {
    output: document({ ...context, "output?": "string" }),
    command: {
      context: toModel,
      hint: unshown,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: at("output"),
      // Nothing is undone any more, but the model reads the reason.
      block: toModel
    }
  },
  PostToolUseFailure: {
    output: document(context),
    command: { context: toModel, hint: unshown, block: toModel }
  },
  SubagentStart: beginning("the start of a subagent"),
  SubagentStop: observed(no("Cline has given the subagent's answer on already")),
  Stop: observed(no("Cline has ended the turn already")),
  StopFailure: observed(cannotStop("a turn that failed")),
  Interrupt: observed(cannotStop("what the human interrupted"))
}
