/** What Claude Code does with a hook's reply, event by event (as of 2.1.332). */
import type { Fields, Shape } from "../shape.ts"
import { at, exit2, no, orExit2, type Rules, type Way, type Ways } from "../ways.ts"
import type { ClaudeCodeEvent } from "./payloads.ts"

const universal = {
  "continue?": "boolean",
  "stopReason?": "string",
  "suppressOutput?": "boolean",
  "systemMessage?": "string",
  "decision?": { oneOf: ["block"] },
  "reason?": "string"
} as const satisfies Fields

/** The document of one event: the universal fields and its own specific ones. */
const output = (specific?: Fields): Shape => ({
  only: specific
    ? { ...universal, "hookSpecificOutput?": { only: { hookEventName: "string", ...specific } } }
    : universal
})
const context = { "additionalContext?": "string" } as const satisfies Fields

const toModel: Way = at("hookSpecificOutput.additionalContext")
const toUser: Way = at("systemMessage")
/** The reason as it is: by exit code the model and the human read of an error of a hook, with its command line. */
const blockJson: Way = orExit2(at("reason", undefined, { decision: "block" }))
const denied: Way = orExit2(
  at("hookSpecificOutput.permissionDecisionReason", undefined, {
    "hookSpecificOutput.permissionDecision": "deny"
  })
)
const permission = {
  "permissionDecision?": { oneOf: ["allow", "deny", "ask", "defer"] },
  "permissionDecisionReason?": "string"
} as const satisfies Fields
const tooLate = no("the tool already ran")
const discarded = no("Claude Code discards what a hook prints at this event")
const nobody: Ways = { hint: discarded }
const cannotStop = (what: string): Way => no(`${what} cannot be stopped`)

const notOverHttp = no("Claude Code does not send this event over HTTP")
const httpNothing: Ways = {
  context: notOverHttp,
  allow: notOverHttp,
  ask: notOverHttp,
  input: notOverHttp,
  output: notOverHttp,
  hint: notOverHttp,
  block: notOverHttp
}

/** An event that `decision: "block"` blocks. */
const stoppable = (ways: Ways, specific?: Fields): Rules => ({
  output: output(specific),
  command: { hint: toUser, block: blockJson, ...ways }
})

const stop: Rules = stoppable({ context: toModel }, context)
const afterTool: Ways = { context: toModel, input: tooLate, allow: tooLate, ask: tooLate }
const elicitation: Rules = {
  output: output({ "action?": { oneOf: ["accept", "decline", "cancel"] }, "content?": "object" }),
  command: { hint: toUser, block: exit2 },
  http: { block: at("hookSpecificOutput.action", "decline") }
}
const decision = {
  only: {
    behavior: { oneOf: ["allow", "deny"] },
    "updatedInput?": "object",
    "updatedPermissions?": { listOf: "object" },
    "message?": "string",
    "interrupt?": "boolean"
  }
} as const satisfies Shape

export const claudeCodeRules: { readonly [E in ClaudeCodeEvent]: Rules } = {
  SessionStart: {
    output: output(context),
    command: { context: toModel, hint: toUser, block: cannotStop("the start of a session") },
    http: httpNothing
  },
  Setup: {
    output: output(context),
    command: { context: toModel, hint: toUser, block: cannotStop("the set-up of a session") },
    http: httpNothing
  },
  InstructionsLoaded: { command: nobody },
  UserPromptSubmit: stoppable({ context: toModel }, context),
  UserPromptExpansion: stoppable({ context: toModel }, context),
  MessageDisplay: {
    output: output(),
    command: { hint: toUser, block: cannotStop("a message on the screen") }
  },
  PreToolUse: stoppable(
    {
      context: toModel,
      allow: at("hookSpecificOutput.permissionDecision", "allow"),
      ask: at("hookSpecificOutput.permissionDecisionReason", undefined, {
        "hookSpecificOutput.permissionDecision": "ask"
      }),
      input: at("hookSpecificOutput.updatedInput"),
      output: no("the tool has not run yet"),
      block: denied
    },
    {
      ...context,
      ...permission,
      "updatedInput?": "object"
    }
  ),
  PreSkillShellCommand: stoppable(
    {
      allow: { unsaid: "the command runs unless a hook refuses it" },
      ask: no("Claude Code asks nobody about a command of a skill"),
      input: no("Claude Code runs no command of a skill that a hook would change"),
      output: no("the command has not run yet"),
      block: denied
    },
    permission
  ),
  PermissionRequest: {
    output: output({ "decision?": decision }),
    command: {
      hint: toUser,
      allow: at("hookSpecificOutput.decision.behavior", "allow"),
      ask: { unsaid: "Claude Code is about to ask" },
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
  PermissionDenied: { output: output(), command: { hint: toUser, block: no("the call is denied already") } },
  PostToolUse: stoppable(
    { ...afterTool, output: at("hookSpecificOutput.updatedToolOutput") },
    { ...context, "updatedToolOutput?": "json" }
  ),
  PostToolUseFailure: {
    output: output(context),
    command: { ...afterTool, hint: toUser, block: exit2 },
    http: { block: no("Claude Code reads no block for a failed tool in JSON") }
  },
  PostToolBatch: stoppable(afterTool, context),
  Notification: {
    output: output(context),
    command: { context: toModel, hint: discarded, block: cannotStop("a notification") }
  },
  SubagentStart: {
    output: output(context),
    command: { context: toModel, hint: toUser, block: cannotStop("the start of a subagent") }
  },
  SubagentStop: stop,
  TaskCreated: stoppable({}),
  TaskCompleted: {
    output: output(),
    command: { hint: toUser, block: exit2 },
    http: { block: no("JSON can only stop the teammate here, not refuse the completion") }
  },
  TeammateIdle: {
    output: output(),
    command: { hint: toUser, block: exit2 },
    http: { block: no("JSON can only stop the teammate here, not keep it working") }
  },
  Stop: stop,
  StopFailure: { command: { hint: discarded, block: cannotStop("a turn that failed") } },
  PreCompact: stoppable({}),
  PostCompact: { command: { hint: discarded, block: no("the conversation is compacted already") } },
  PreModelSwitch: {
    output: output({
      "permissionDecision?": { oneOf: ["allow", "deny", "ask"] },
      "permissionDecisionReason?": "string"
    }),
    command: {
      hint: toUser,
      allow: at("hookSpecificOutput.permissionDecision", "allow"),
      ask: at("hookSpecificOutput.permissionDecisionReason", undefined, {
        "hookSpecificOutput.permissionDecision": "ask"
      }),
      block: at("hookSpecificOutput.permissionDecisionReason", undefined, {
        "hookSpecificOutput.permissionDecision": "deny"
      })
    }
  },
  PostModelSwitch: {
    output: output(context),
    command: { context: toModel, hint: toUser, block: no("the model is switched already") }
  },
  // By JSON it is said to be blocked; seen was only the exit code.
  ConfigChange: { ...stoppable({ block: exit2 }), http: { block: blockJson } },
  CwdChanged: { output: output(), command: { hint: toUser, block: no("the directory has changed already") } },
  // Claude Code gives this event's systemMessage to the model, not to the human.
  DirectoryAdded: {
    output: output(),
    command: {
      context: toUser,
      hint: no("Claude Code gives the message to the model at this event"),
      block: no("the directory is added already")
    }
  },
  FileChanged: { output: output(), command: { hint: toUser, block: no("the file has changed already") } },
  // Standard output is the worktree's path here: a document would be taken for one.
  WorktreeCreate: {
    command: { hint: no("standard output is the worktree's path at this event"), block: exit2 },
    http: { block: no("an HTTP answer has to name the worktree's path") }
  },
  WorktreeRemove: { command: { hint: discarded, block: cannotStop("the removal of a worktree") } },
  Elicitation: elicitation,
  ElicitationResult: elicitation,
  SessionEnd: { command: { hint: discarded, block: cannotStop("the end of a session") } }
}
