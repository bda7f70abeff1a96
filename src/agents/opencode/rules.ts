/** What our plugin in OpenCode does with a hook's reply, event by event (seen with 1.18.33). */
import type { Fields, Shape } from "../shape.ts"
import { at, no, orExit2, type Rules, type Way } from "../ways.ts"
import type { OpencodeEvent } from "./payloads.ts"

const document = (own: Fields): Shape => ({ only: { "hint?": "string", ...own } })
const context = { "context?": "string" } as const satisfies Fields
const decision = { "decision?": { oneOf: ["block"] }, "reason?": "string" } as const satisfies Fields

const toModel: Way = at("context")
const toHuman: Way = at("hint")
const blockJson: Way = orExit2(at("reason", undefined, { decision: "block" }))
const tooLate = no("the tool already ran")
const told = no("OpenCode tells of it afterwards, and waits for no answer")
const cannotStop = (what: string): Way => no(`${what} cannot be stopped`)

const observed = (block: Way): Rules => ({
  output: document({}),
  command: { context: told, hint: toHuman, block }
})
const beginning = (what: string): Rules => ({
  output: document(context),
  command: { context: toModel, hint: toHuman, block: cannotStop(what) }
})

export const opencodeRules: { readonly [E in OpencodeEvent]: Rules } = {
  SessionStart: beginning("the start of a session"),
  UserPromptSubmit: {
    output: document({ ...context, ...decision }),
    command: { context: toModel, hint: toHuman, block: blockJson }
  },
  PreToolUse: {
    output: document({ ...context, ...decision, "args?": "object" }),
    command: {
      // Beside the result of the call: OpenCode has no other place for it.
      context: toModel,
      hint: toHuman,
      allow: no("OpenCode asks its own question after this event"),
      ask: no("OpenCode asks no question for a hook"),
      input: at("args"),
      output: no("the tool has not run yet"),
      block: blockJson
    }
  },
  PostToolUse: {
    output: document({ ...context, "output?": "string" }),
    command: {
      context: toModel,
      hint: toHuman,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: at("output"),
      // Nothing is undone any more, but the model reads the reason.
      block: toModel
    }
  },
  PostToolUseFailure: observed(no("the tool already failed")),
  Notification: observed(cannotStop("a notification")),
  SubagentStart: beginning("the start of a subagent"),
  SubagentStop: observed(no("OpenCode has given the subagent's answer on already")),
  // The reason is the next prompt: where the program ends with its turn, as `opencode run` does, nobody reads it.
  Stop: { output: document(decision), command: { context: told, hint: toHuman, block: blockJson } },
  StopFailure: observed(cannotStop("a turn that failed")),
  Interrupt: observed(cannotStop("what the human interrupted")),
  PreCompact: {
    output: document(context),
    command: { context: toModel, hint: toHuman, block: cannotStop("the compaction") }
  },
  PostCompact: observed(no("the conversation is compacted already")),
  SessionEnd: {
    command: {
      context: told,
      hint: no("OpenCode is about to end"),
      block: cannotStop("the end of a session")
    }
  }
}
