/** What the log says of the work since the last checkpoint: a fold over its facts. Pure. */
import type { Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { Intent, JsonObject } from "../../../events/intents.ts"
import { commandKey, hasFailed } from "../search/documents.ts"
import { outcomeOf, type Purpose, recognise } from "./commands.ts"
import type { Evidence, Outcome } from "./quality.ts"

/** As much of a fact as is needed, wherever it was read. */
export interface Seen {
  readonly type: string
  readonly event: string | null
  /** The invocation: several hooks that block one action block one. */
  readonly stream: string
  readonly data: unknown
}

/** The types of facts that say anything. */
export const evidenceTypes = [
  "PAYLOAD_BUFFERED",
  "HANDLER_SUCCEEDED",
  "CHECKPOINT_RECORDED",
  "CHECKPOINT_REFUSED"
] as const

/** Further back nothing says how the work stands now. */
export const maxEvidence = 4000

/** Tools are used, checkpoints too: only an agent's own actions count. */
const isAction = (event: string | null): boolean => event === "tool.before" || event === "tool.permission"

interface Gathered {
  readonly outcomes: Map<Purpose, Outcome>
  /** Files that were edited since. */
  readonly edited: Map<Purpose, Set<string>>
  /** What failed, by what would show that it is well again: a command, or a tool. */
  readonly failures: Map<string, string>
  errors: number
  /** Tools that came to an end, one way or the other. */
  results: number
  /** The invocations in which an action was blocked. */
  readonly blocked: Set<string>
  actions: number
  praise: number
  corrections: number
  /** Something was edited or run since the last checkpoint. */
  changed: boolean
}

const text = (data: JsonObject, name: string): string => {
  const value = data[name]
  return typeof value === "string" ? value : ""
}

/** The last checkpoint draws a line under what went wrong and what was said; what was run stays as it ended. */
const begin = (gathered: Gathered): void => {
  gathered.failures.clear()
  gathered.blocked.clear()
  Object.assign(gathered, {
    errors: 0,
    results: 0,
    actions: 0,
    praise: 0,
    corrections: 0,
    changed: false
  })
}

const ranCommand = (
  gathered: Gathered,
  data: JsonObject,
  events: readonly Dispatched[],
  tool: Tool | undefined
): void => {
  const command = commandKey(text(data, "command"))
  const output = text(data, "output")
  const exitCode = typeof data["exitCode"] === "number" ? data["exitCode"] : undefined
  gathered.changed = true
  for (const { isMasked, purpose } of recognise(text(data, "command"))) {
    const passed = outcomeOf(isMasked, exitCode, hasFailed(data, events, tool), output)
    if (passed !== undefined) gathered.outcomes.set(purpose, { command, passed, editedSince: 0 })
  }
}

const ranEdit = (gathered: Gathered, path: string): void => {
  gathered.changed = true
  for (const [purpose, outcome] of gathered.outcomes) {
    const before = gathered.edited.get(purpose)
    const since = outcome.editedSince === 0 || before === undefined ? new Set<string>() : before
    gathered.edited.set(purpose, since.add(path))
    gathered.outcomes.set(purpose, { ...outcome, editedSince: since.size })
  }
}

const subjectOf = (tool: Tool | undefined): string =>
  tool?.command === undefined ? `tool ${tool?.name ?? ""}` : `command ${commandKey(tool.command)}`

const ranTool = (gathered: Gathered, events: readonly Dispatched[], tool: Tool | undefined): void => {
  // What a test run, a build or a check found has a component of its own.
  if (tool?.command !== undefined && recognise(tool.command).length > 0) return
  gathered.results++
  const error = events.find(({ event }) => event === "error.observed")
  const subject = subjectOf(tool)
  if (error === undefined) {
    gathered.failures.delete(subject)
    return
  }
  if (!gathered.failures.has(subject)) gathered.errors++
  gathered.failures.delete(subject)
  gathered.failures.set(subject, text(error.data, "message"))
}

const payload = (gathered: Gathered, data: JsonObject): void => {
  const { events: sent, tool: called } = data
  const events = (Array.isArray(sent) ? sent : []) as unknown as readonly Dispatched[]
  const tool = called as unknown as Tool | undefined
  for (const one of events) {
    if (isAction(one.event)) gathered.actions++
    if (one.event === "command.ran") ranCommand(gathered, one.data, events, tool)
    if (one.event === "file.edited") ranEdit(gathered, text(one.data, "path"))
    if (one.event === "tool.after" || one.event === "tool.failure") ranTool(gathered, events, tool)
    if (one.event === "feedback.given") {
      const polarity = text(one.data, "polarity")
      if (/^(positive|praise)/.test(polarity)) gathered.praise++
      else if (/^(negative|correct)/.test(polarity)) gathered.corrections++
    }
  }
}

const hasBlocked = (data: JsonObject): boolean => {
  const { intents } = data
  return (
    Array.isArray(intents) &&
    (intents as unknown as readonly Intent[]).some(({ type }) => type === "BLOCKING_FEEDBACK")
  )
}

export interface LogEvidence {
  readonly evidence: Evidence
  /** Something was edited or run since the last checkpoint. */
  readonly changed: boolean
}

/** `facts` in the order of the log, oldest first. */
export const evidenceIn = (facts: Iterable<Seen>): LogEvidence => {
  const gathered: Gathered = {
    outcomes: new Map(),
    failures: new Map(),
    edited: new Map(),
    errors: 0,
    results: 0,
    blocked: new Set(),
    actions: 0,
    praise: 0,
    corrections: 0,
    changed: false
  }
  for (const { data, event, stream, type } of facts) {
    if (typeof data !== "object" || data === null) continue
    if (type === "CHECKPOINT_RECORDED") begin(gathered)
    // What it was refused for stands; asking again by itself would get the same answer.
    else if (type === "CHECKPOINT_REFUSED") gathered.changed = false
    else if (type === "PAYLOAD_BUFFERED") payload(gathered, data as JsonObject)
    else if (type === "HANDLER_SUCCEEDED" && isAction(event) && hasBlocked(data as JsonObject))
      gathered.blocked.add(stream)
  }
  const { actions, blocked, changed, corrections, errors, failures, outcomes, praise, results } = gathered
  const last = [...failures.values()].at(-1)
  return {
    evidence: {
      tests: outcomes.get("tests"),
      build: outcomes.get("build"),
      types: outcomes.get("types"),
      lint: outcomes.get("lint"),
      errors:
        results > 0
          ? { seen: errors, results, unresolved: failures.size, ...(last === undefined ? {} : { last }) }
          : undefined,
      blocks: actions + blocked.size > 0 ? { actions, blocked: blocked.size } : undefined,
      feedback: praise + corrections > 0 ? { praise, corrections } : undefined
    },
    changed
  }
}
