/** The hooks that a bundle holds, and which of them an invocation runs: decided once, recorded as the plan. */
import type { Dispatched, Tool } from "../../events/agentEvents.ts"
import type { Backgrounded, Planned } from "../../events/facts.ts"
import { derivedId } from "../../events/ids.ts"
import type { Intent } from "../../events/intents.ts"
import type { Hook } from "../hooks/defineHook.ts"
import { toMillis } from "../hooks/duration.ts"
import { mismatch } from "../hooks/when.ts"
import { SpunTooLong } from "./watchdog.ts"

/** A hook with where it came from, in registration order. */
export interface Registered {
  readonly hook: Hook
  /** The file it was found in. */
  readonly source: string
  /** Set when it must not run now, such as `not trusted` or `disabled in config.json`. */
  readonly withheld?: string
}

export interface Plan {
  readonly handlers: readonly Planned[]
  readonly left: readonly { readonly handler: string; readonly event: string; readonly reason: string }[]
  /** Those that run after the reply, as jobs. */
  readonly background?: readonly Backgrounded[]
  readonly notices?: readonly Intent[]
}

export interface PlanInput {
  readonly agent: string
  readonly project: string
  readonly tool: Tool | undefined
  readonly events: readonly Dispatched[]
  readonly deadlineMs: number
  /** From which the jobs of background hooks have their ids. Without one there is nothing after the reply. */
  readonly invocation?: string
  /** Ends a condition that does not come to an end by itself: patterns meet text that the model chose. */
  readonly watch?: <A>(work: () => A) => A
}

export const defaultPriority = 500

/** Nobody waits for a background hook; this keeps one that hangs from holding its place for long. */
const backgroundDeadlineMs = 60_000

const reasonToLeave = (registered: Registered, input: PlanInput): string | undefined => {
  const { hook } = registered
  if (registered.withheld !== undefined) return registered.withheld
  if (hook.enabled === false) return "disabled"
  if (hook.agents && !hook.agents.includes(input.agent as never)) return `not for ${input.agent}`
  return hook.when && mismatch(hook.when, input)
}

const hasPattern = ({ when }: Registered["hook"]): boolean =>
  when?.command instanceof RegExp || when?.toolName instanceof RegExp

const stuck = "its condition took too long on this input"

/** Why a hook is left out, or that nobody can tell. */
const judged = (
  registered: Registered,
  input: PlanInput
): { readonly reason?: string | undefined; readonly stuck?: string } => {
  if (input.watch === undefined || !hasPattern(registered.hook))
    return { reason: reasonToLeave(registered, input) }
  try {
    return { reason: input.watch(() => reasonToLeave(registered, input)) }
  } catch (error) {
    if (error instanceof SpunTooLong) return { stuck }
    throw error
  }
}

/** The agent's own event, then what follows from it; only the last chance before a session ends comes before its end. */
const inOrder = (events: readonly Dispatched[]): readonly Dispatched[] => [
  ...events.filter(({ event }) => event === "session.ending"),
  ...events.filter(({ event }) => event !== "session.ending")
]

/** The ordered handlers of an invocation: events in order, within each by priority, ties by registration. */
export const plan = (registry: readonly Registered[], input: PlanInput): Plan => {
  const handlers: Planned[] = []
  const background: Backgrounded[] = []
  const left: { handler: string; event: string; reason: string }[] = []
  for (const { event } of inOrder(input.events)) {
    const subscribed = registry
      .filter(({ hook }) => (typeof hook.on === "string" ? hook.on === event : hook.on.includes(event)))
      .sort((a, b) => (a.hook.priority ?? defaultPriority) - (b.hook.priority ?? defaultPriority))
    for (const registered of subscribed) {
      const { hook } = registered
      const { reason, stuck } = judged(registered, input)
      if (reason !== undefined) {
        left.push({ handler: hook.name, event, reason })
        continue
      }
      const { deadline, onFailure = "allow", priority = defaultPriority } = hook
      const { source } = registered
      const own = deadline === undefined ? undefined : toMillis(deadline)
      const common = { handler: hook.name, event, priority, source }
      if (hook.background !== true) {
        handlers.push({
          ...common,
          index: handlers.length,
          deadlineMs: Math.min(own ?? input.deadlineMs, input.deadlineMs),
          onFailure,
          ...(stuck === undefined ? {} : { stuck })
        })
      } else if (stuck !== undefined || input.invocation === undefined) {
        // A guard that cannot be judged speaks by its policy; work after the reply has none.
        left.push({ handler: hook.name, event, reason: stuck ?? "nothing runs after the reply here" })
      } else {
        const index = background.length
        background.push({
          ...common,
          index,
          deadlineMs: own ?? backgroundDeadlineMs,
          onFailure: "allow",
          background: true,
          job: derivedId(input.invocation, index)
        })
      }
    }
  }
  return { handlers, left, ...(background.length > 0 ? { background } : {}) }
}
