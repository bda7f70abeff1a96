/** What Cursor says it does with a hook's reply, event by event (its pages of August 2026). */
import type { Fields, Shape } from "../shape.ts"
import { at, no, orExit2, type Rules, type Way } from "../ways.ts"
import type { CursorEvent } from "./payloads.ts"

const document = (fields: Fields): Shape => ({ only: fields })
const messages = { "user_message?": "string", "agent_message?": "string" } as const satisfies Fields

const toUser: Way = at("user_message")
const toModel: Way = at("additional_context")
/** The reason is the model's. Exit code 2 denies too, but nobody is said to read standard error then. */
const deny: Way = orExit2(at("agent_message", undefined, { permission: "deny" }))
/** Where the only message there is goes to the human. */
const denyToUser: Way = orExit2(at("user_message", undefined, { permission: "deny" }))
const goOn: Way = at("followup_message")
const notYet = no("the tool has not run yet")
const tooLate = no("the tool already ran")
const nobodyReads: Rules = { command: { hint: no("Cursor reads no answer at this event") } }
const cannotStop = (what: string): Way => no(`Cursor does not let a hook stop ${what}`)

/** The model is handed this message with a denial and not else: see `withheld` of the adapter. */
const withDenial: Way = at("agent_message")

const permission = (words: readonly string[]): Fields => ({ "permission?": { oneOf: words } })

const execution: Rules = {
  output: document({ ...permission(["allow", "deny", "ask"]), ...messages }),
  command: {
    context: withDenial,
    hint: toUser,
    allow: at("permission", "allow"),
    ask: at("user_message", undefined, { permission: "ask" }),
    input: no("Cursor takes a changed input at preToolUse only"),
    output: notYet,
    block: deny
  }
}
const ran: Rules = {
  command: {
    hint: no("Cursor reads no answer at this event"),
    allow: tooLate,
    ask: tooLate,
    input: tooLate,
    output: no("Cursor takes a changed output at postToolUse only"),
    block: no("Cursor reads no answer at this event, and the tool already ran")
  }
}

export const cursorRules: { readonly [E in CursorEvent]: Rules } = {
  sessionStart: {
    output: document({ "env?": "object", "additional_context?": "string" }),
    command: {
      context: toModel,
      hint: no("Cursor does not wait for hooks at the start of a session and shows no message of theirs"),
      block: cannotStop("the start of a session")
    }
  },
  sessionEnd: nobodyReads,
  beforeSubmitPrompt: {
    output: document({ "continue?": "boolean", "user_message?": "string" }),
    command: {
      context: no("Cursor takes no text for the model with a prompt"),
      hint: toUser,
      // The prompt never gets to the model: it is the human who is told.
      block: orExit2(at("user_message", undefined, { continue: false }))
    }
  },
  preToolUse: {
    output: document({ ...permission(["allow", "deny"]), ...messages, "updated_input?": "object" }),
    command: {
      context: withDenial,
      hint: toUser,
      allow: at("permission", "allow"),
      ask: no("Cursor accepts ask at this event and does not ask"),
      input: at("updated_input"),
      output: notYet,
      block: deny
    }
  },
  postToolUse: {
    output: document({ "additional_context?": "string", "updated_mcp_tool_output?": "json" }),
    command: {
      context: toModel,
      allow: tooLate,
      ask: tooLate,
      input: tooLate,
      output: at("updated_mcp_tool_output"),
      // The tool already ran: what is left of a block is its reason, which the model reads.
      block: toModel
    }
  },
  postToolUseFailure: ran,
  beforeShellExecution: execution,
  afterShellExecution: ran,
  beforeMCPExecution: execution,
  afterMCPExecution: ran,
  beforeReadFile: {
    output: document({ ...permission(["allow", "deny"]), "user_message?": "string" }),
    command: {
      hint: toUser,
      allow: at("permission", "allow"),
      ask: no("Cursor does not ask at this event"),
      input: no("Cursor takes a changed input at preToolUse only"),
      output: notYet,
      block: denyToUser
    }
  },
  afterFileEdit: ran,
  beforeTabFileRead: {
    output: document(permission(["allow", "deny"])),
    command: { allow: at("permission", "allow"), block: orExit2(at("permission", "deny")) }
  },
  afterTabFileEdit: ran,
  subagentStart: {
    output: document({ ...permission(["allow", "deny"]), "user_message?": "string" }),
    command: {
      hint: toUser,
      allow: at("permission", "allow"),
      ask: no("Cursor takes ask for a denial at this event"),
      block: denyToUser
    }
  },
  subagentStop: { output: document({ "followup_message?": "string" }), command: { block: goOn } },
  preCompact: {
    output: document({ "user_message?": "string" }),
    command: { hint: toUser, block: cannotStop("a compaction") }
  },
  stop: { output: document({ "followup_message?": "string" }), command: { block: goOn } },
  afterAgentResponse: nobodyReads,
  afterAgentThought: nobodyReads,
  workspaceOpen: nobodyReads
}
