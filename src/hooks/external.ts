/** Hooks that are commands in any language: what settings or the head of a script say of one, and what that means as a hook. */
import type { JsonObject } from "../../events/intents.ts"
import type { When } from "./defineHook.ts"
import type { WhenContext } from "./HookContext.ts"

/** As it stands in the settings, or in the comment at a script's head, where `run` is the script itself. */
export interface ExternalDefinition {
  readonly name: string
  readonly on: string | readonly string[]
  readonly run: string
  /** On Windows in place of `run`. */
  readonly runOnWindows?: string
  /** As of any hook, without functions: a text between slashes is a regular expression. */
  readonly when?: Readonly<Record<string, unknown>>
  /** The agent's own events, where several of them are one of ours. */
  readonly agentEvents?: readonly string[]
  /** As agents have it: tested against what tells calls of the event apart, such as the source of a session's start. */
  readonly matcher?: string
  /** What it reads: the agent's payload (default), or what a handler in TypeScript gets. */
  readonly payload?: "agent" | "hooktape"
  /** It runs the project's own code, whatever that is by then: consented to is only what its command names and what lies beside that. */
  readonly projectCode?: boolean
  readonly [option: string]: unknown
}

/** What every hook has; all else that a definition may say is the command's own. */
export const ownOptions = [
  "run",
  "runOnWindows",
  "when",
  "agentEvents",
  "matcher",
  "payload",
  "projectCode"
] as const

/** The definition with the command of this system as what it runs. */
export const definedHere = (
  definition: ExternalDefinition,
  platform: NodeJS.Platform = process.platform
): ExternalDefinition =>
  platform === "win32" && definition.runOnWindows !== undefined
    ? { ...definition, run: definition.runOnWindows }
    : definition

const comment = /^\s*(?:#|\/\/|--|;|%)+ ?/
const opening = /^\s*(?:#|\/\/|--|;|%)+\s*hooktape:\s*(?=\{)/
const headLines = 60

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/**
 * What the head of a script says: `# hooktape: {"on": "tool.before"}`, on one comment line or several. Undefined where it says nothing;
 * a text where what it says cannot be read.
 */
export const headOf = (text: string): Readonly<Record<string, unknown>> | string | undefined => {
  const lines = text.split(/\r?\n/, headLines)
  const at = lines.findIndex((line) => opening.test(line))
  if (at === -1) return undefined
  let said = (lines[at] ?? "").replace(opening, "")
  for (let next = at + 1; ; next++) {
    const value = parsed(said)
    if (value !== undefined) return value
    const line = lines[next]
    if (line === undefined || !comment.test(line)) return 'the comment after "hooktape:" is not a JSON object'
    said += `\n${line.replace(comment, "")}`
  }
}

/** `/^mcp__/i` as a regular expression; what is not between slashes is itself. */
const pattern = (value: unknown): unknown => {
  const found = typeof value === "string" ? /^\/(.+)\/([dimsuv]*)$/s.exec(value) : null
  return found === null ? value : new RegExp(found[1] ?? "", found[2])
}

/** By which field of its payload an agent tells calls of an event apart. */
const fields: Readonly<Record<string, string>> = {
  SessionStart: "source",
  ConfigChange: "source",
  DirectoryAdded: "source",
  Setup: "trigger",
  PreCompact: "trigger",
  PostCompact: "trigger",
  PreCompress: "trigger",
  SessionEnd: "reason",
  Notification: "notification_type",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
  StopFailure: "error",
  InstructionsLoaded: "load_reason",
  UserPromptExpansion: "command_name",
  Elicitation: "mcp_server_name",
  ElicitationResult: "mcp_server_name"
}

const isPlainMatcher = /^[\w\-|, ]+$/

/** The names that an agent's matcher lists; undefined where it is a pattern or lets everything through. */
export const listedIn = (matcher: string): readonly string[] | undefined =>
  isPlainMatcher.test(matcher)
    ? matcher
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter((name) => name !== "")
    : undefined

export const matches = (matcher: string | undefined, value: string): boolean => {
  if (matcher === undefined || matcher === "" || matcher === "*") return true
  return listedIn(matcher)?.includes(value) ?? new RegExp(matcher).test(value)
}

/** Whether a condition of it is a regular expression, whose test may take for ever. */
export const hasPattern = ({ matcher = "", when = {} }: ExternalDefinition): boolean =>
  [when["toolName"], when["command"]].some((value) => pattern(value) instanceof RegExp) ||
  !(matcher === "" || matcher === "*" || listedIn(matcher) !== undefined)

/** The conditions of a definition as those of a hook. */
export const whenOf = ({ agentEvents, matcher, when = {} }: ExternalDefinition): When => {
  const stated = Object.fromEntries(
    Object.entries(when).map(([key, value]) => [
      key,
      key === "toolName" || key === "command" ? pattern(value) : value
    ])
  ) as When
  if (agentEvents === undefined && matcher === undefined) return stated
  return {
    ...stated,
    matches: (context: WhenContext) => {
      const { agentEvent, payload } = context as { agentEvent: string; payload: JsonObject }
      const told = payload[fields[agentEvent] ?? "tool_name"]
      return (
        (agentEvents?.includes(agentEvent) ?? true) && matches(matcher, typeof told === "string" ? told : "")
      )
    }
  }
}
