/** The names under which hooks subscribe: what agents report, one vocabulary for all of them, and what follows from it. */
import type { Json, JsonObject } from "./intents.ts"

export const agents = [
  "claude-code",
  "codex",
  "gemini-cli",
  "qwen-code",
  "copilot",
  "opencode",
  "cline",
  "cursor",
  "windsurf",
  "droid",
  "vscode",
  "kiro",
  "raw"
] as const
/**
 * Whose hook fired. `raw` is any program that writes canonical JSON itself.
 *
 * @example
 * const mine: readonly Agent[] = ["claude-code", "codex"]
 */
export type Agent = (typeof agents)[number]

/** What an agent reports, in the words every agent is mapped to. */
export const canonicalEvents = [
  "session.start",
  "session.setup",
  "session.end",
  "prompt.submit",
  "prompt.expand",
  "model.before",
  "model.after",
  "tool.before",
  "tool.permission",
  "tool.after",
  "tool.failure",
  "tool.batch",
  "turn.stop",
  "turn.error",
  "turn.interrupt",
  "subagent.start",
  "subagent.stop",
  "compact.before",
  "compact.after",
  "notify"
] as const
/**
 * An event that agents report, in the words that are the same for all of them.
 *
 * @example
 * const first: CanonicalEvent = "session.start"
 */
export type CanonicalEvent = (typeof canonicalEvents)[number]

/** What hooktape itself is about to do, or has done: each an invocation of its own, made by `src/runtime/dispatch`. */
export const ownEvents = [
  "checkpoint.before",
  "checkpoint.after",
  "search.before",
  "reflection.before"
] as const
export type OwnEvent = (typeof ownEvents)[number]

/** What no agent reports by itself: most of it follows from a decoded payload and is dispatched in the same invocation. */
export const derivedEvents = [
  "file.edited",
  "command.ran",
  "error.observed",
  "response.given",
  "feedback.given",
  ...ownEvents,
  "session.ending"
] as const

/** Whether an event is told beside the agent's own in a call, and never by itself. */
export const followsFromCalls = (event: string): boolean =>
  (derivedEvents as readonly string[]).includes(event) && !(ownEvents as readonly string[]).includes(event)

/**
 * An event that no agent reports by itself.
 *
 * @example
 * const edited: DerivedEvent = "file.edited"
 */
export type DerivedEvent = (typeof derivedEvents)[number]

/**
 * An agent's event that has no canonical name is passed through under its own.
 *
 * @example
 * const passed: PassedEvent = "agent.SomethingNew"
 */
export type PassedEvent = `agent.${string}`

/**
 * Everything a hook can subscribe to.
 *
 * @example
 * const both: readonly HookEvent[] = ["tool.after", "file.edited"]
 */
export type HookEvent = CanonicalEvent | DerivedEvent | PassedEvent

/**
 * What a tool does, whatever its agent calls it.
 *
 * @example
 * const writes: readonly ToolKind[] = ["edit", "shell"]
 */
export type ToolKind = "shell" | "read" | "edit" | "search" | "web" | "mcp" | "task" | "other"

/**
 * One tool call, the same shape whichever agent made it.
 *
 * @example
 * const isMine = ({ kind, paths }: Tool) => kind === "edit" && paths?.includes("README.md") === true
 */
export interface Tool {
  readonly kind: ToolKind
  /** The agent's own name for the tool. */
  readonly name: string
  /** Shell tools: the command line. */
  readonly command?: string
  /** File tools: the file, absolute where the agent says so. */
  readonly path?: string
  /** File tools that touch several files. */
  readonly paths?: readonly string[]
  /** Shell tools, once they ran and where the agent tells. */
  readonly exitCode?: number
  /** Once it ran: whether it succeeded, as far as the agent tells. */
  readonly ok?: boolean
  readonly input: Json
  readonly response?: Json
}

/**
 * One event of an invocation with the fields its handlers get.
 *
 * @example
 * const names = (events: readonly Dispatched[]) => events.map(({ event }) => event)
 */
export interface Dispatched {
  readonly event: HookEvent
  readonly data: JsonObject
}
