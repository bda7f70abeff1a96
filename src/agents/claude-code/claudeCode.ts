/** The adapter of Claude Code. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import { type Given, present, type Reading } from "../decode.ts"
import { dispatched, errorObserved } from "../derive.ts"
import { type Dialect, exitMeansBlock } from "../encode.ts"
import { readFamiliar } from "../familiar.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { stringAt, textOf } from "../toolCall.ts"
import { type ClaudeCodeEvent, claudeCodePayloads } from "./payloads.ts"
import { claudeCodeRules } from "./rules.ts"
import { describeCall, readCall } from "./tools.ts"

const rows: { readonly [E in ClaudeCodeEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  Setup: { event: "session.setup" },
  InstructionsLoaded: { event: "agent.InstructionsLoaded" },
  UserPromptSubmit: { event: "prompt.submit" },
  UserPromptExpansion: { event: "prompt.expand" },
  MessageDisplay: { event: "model.after", register: "on demand" },
  PreToolUse: { event: "tool.before" },
  // A command in the text of a skill, run as it is loaded: no other event tells of it.
  PreSkillShellCommand: { event: "tool.before" },
  PermissionRequest: { event: "tool.permission" },
  PermissionDenied: { event: "tool.permission" },
  PostToolUse: { event: "tool.after" },
  PostToolUseFailure: { event: "tool.failure" },
  PostToolBatch: { event: "tool.batch" },
  Notification: { event: "notify" },
  SubagentStart: { event: "subagent.start" },
  SubagentStop: { event: "subagent.stop" },
  TaskCreated: { event: "agent.TaskCreated" },
  TaskCompleted: { event: "agent.TaskCompleted" },
  TeammateIdle: { event: "agent.TeammateIdle" },
  Stop: { event: "turn.stop" },
  StopFailure: { event: "turn.error" },
  PreCompact: { event: "compact.before" },
  PostCompact: { event: "compact.after" },
  PreModelSwitch: { event: "agent.PreModelSwitch" },
  PostModelSwitch: { event: "agent.PostModelSwitch" },
  ConfigChange: { event: "agent.ConfigChange" },
  CwdChanged: { event: "agent.CwdChanged" },
  DirectoryAdded: { event: "agent.DirectoryAdded" },
  FileChanged: { event: "agent.FileChanged" },
  // A hook there makes or removes the worktree itself; one that only looks would leave the agent without.
  WorktreeCreate: { event: "agent.WorktreeCreate", register: "never" },
  WorktreeRemove: { event: "agent.WorktreeRemove", register: "never" },
  Elicitation: { event: "agent.Elicitation" },
  ElicitationResult: { event: "agent.ElicitationResult" },
  SessionEnd: { event: "session.end" }
}

/** How Claude Code wraps what it refused before running it, which no event but the batch tells of. */
const refusal = "<tool_use_error>"

const batchErrors = (tools: readonly Tool[]): readonly Dispatched[] =>
  tools.flatMap(({ name, response }) => {
    const text = textOf(response).trimStart()
    if (!text.startsWith(refusal)) return []
    const end = text.indexOf("</tool_use_error>")
    return [errorObserved(text.slice(refusal.length, end < 0 ? undefined : end).trim(), name)]
  })

const readBatch = (fields: Given): Reading => {
  const calls = fields.json("tool_calls")
  const tools = (Array.isArray(calls) ? calls : []).map((call): Tool => {
    const response = (call as { readonly [key: string]: never })["tool_response"]
    const input = (call as { readonly [key: string]: never })["tool_input"] ?? null
    return { ...describeCall(stringAt(call, "tool_name") ?? "", input), ...present("response", response) }
  })
  return { event: dispatched("tool.batch", { tools }), derived: batchErrors(tools) }
}

/** Where a block ends the turn: nobody would read what stands beside it. */
const endedByBlock = new Set(["UserPromptSubmit", "UserPromptExpansion", "PostToolBatch"])

export const inputWithheld: NonNullable<Dialect["withheld"]> = (wish, reply, _tool, native) =>
  native === "PermissionRequest" && wish === "input" && reply.permission !== "allow"
    ? "Claude Code takes a changed input here only together with permission allow"
    : undefined

/** What does not depend on the event. */
export const dialect: Dialect = {
  contextLimit: {
    characters: 10_000,
    beyond: "Claude Code moves the text to a file and shows its beginning"
  },
  specific: (hookEventName) => ({ hookEventName }),
  withheld: (wish, reply, tool, native) =>
    wish === "context" && reply.blocks.length > 0 && endedByBlock.has(native)
      ? "the model is not called after a block at this event"
      : inputWithheld(wish, reply, tool, native),
  exit: exitMeansBlock
}

export const claudeCode = makeAdapter({
  agent: "claude-code",
  rows,
  payloads: claudeCodePayloads,
  readEvent: (event, fields, native) =>
    event === "tool.batch" ? readBatch(fields) : readFamiliar(event, fields, (of) => readCall(native, of)),
  rules: claudeCodeRules,
  dialect
})
