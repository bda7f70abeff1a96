/** The hooks that a bundle holds, and which of them an invocation runs: decided once, recorded as the plan. */
import type { Dispatched, Tool } from "../../events/agentEvents.ts"
import type { Backgrounded, LeftOut, Planned } from "../../events/facts.ts"
import { derivedId } from "../../events/ids.ts"
import type { Intent } from "../../events/intents.ts"
import type { Stops } from "../../machines/stops.ts"
import type { Asking, Past } from "../history/Past.ts"
import type { Hook } from "../hooks/defineHook.ts"
import { deliveringOf } from "../hooks/delivery.ts"
import { toMillis } from "../hooks/duration.ts"
import type { WhenContext } from "../hooks/HookContext.ts"
import type { Registered } from "../hooks/Registered.ts"
import { retryOf } from "../hooks/retry.ts"
import { labelIn } from "../trust/policies/label.ts"
import { type Judged, judged } from "./judge.ts"

export interface Plan {
  readonly handlers: readonly Planned[]
  readonly left: readonly LeftOut[]
  /** Those that run after the reply, as jobs. */
  readonly background?: readonly Backgrounded[]
  readonly notices?: readonly Intent[]
  readonly stops?: Stops
}

export interface PlanInput {
  readonly agent: string
  readonly project: string
  readonly tool: Tool | undefined
  readonly events: readonly Dispatched[]
  readonly deadlineMs: number
  /** From which the jobs of background hooks have their ids. Without one there is nothing after the reply. */
  readonly invocation?: string
  /** Under which id it is recorded. */
  readonly recorded?: string
  readonly session?: string | null
  /** What a predicate sees. `nth`: which of several like events it is. `isShipped`: it comes with hooktape. */
  readonly context?: (hook: Hook, event: string, nth: number, isShipped: boolean) => WhenContext
  /** Without one no hook has a past: limits do not count, and nobody has switched anything. */
  readonly past?: Past | undefined
  /** Ends a condition that does not come to an end by itself: patterns meet text that the model chose. */
  readonly watch?: <A>(work: () => A) => A
}

export const defaultPriority = 500

/** Nobody waits for a background hook; this keeps one that hangs from holding its place for long. */
const backgroundDeadlineMs = 60_000

/** The agent's own event, then what follows from it; only the last chance before a session ends comes before its end. */
const inOrder = (events: readonly Dispatched[]): readonly Dispatched[] =>
  events.length < 2
    ? events
    : [
        ...events.filter(({ event }) => event === "session.ending"),
        ...events.filter(({ event }) => event !== "session.ending")
      ]

type ByEvent = ReadonlyMap<string, readonly Registered[]>

/** Put in order once for a registry, not for each of the calls that a host answers with it. */
const indexes = new WeakMap<readonly Registered[], ByEvent>()

const indexed = (registry: readonly Registered[]): ByEvent => {
  const known = indexes.get(registry)
  if (known) return known
  const index = new Map<string, Registered[]>()
  const ordered = [...registry].sort(
    (a, b) => (a.hook.priority ?? defaultPriority) - (b.hook.priority ?? defaultPriority)
  )
  for (const one of ordered) {
    const { on } = one.hook
    for (const event of typeof on === "string" ? [on] : new Set<string>(on)) {
      const there = index.get(event)
      if (there) there.push(one)
      else index.set(event, [one])
    }
  }
  indexes.set(registry, index)
  return index
}

const nobody: readonly Registered[] = []

/** Events at which a hook can keep the agent going. */
const isStop = (event: string): boolean => event === "turn.stop" || event === "subagent.stop"

/** The ordered handlers of an invocation: events in order, within each by priority, ties by registration. */
export const plan = (registry: readonly Registered[], input: PlanInput): Plan => {
  const index = indexed(registry)
  const handlers: Planned[] = []
  const background: Backgrounded[] = []
  const excluded: LeftOut[] = []
  const { agent, invocation = "", past, project, recorded, session = null } = input
  const asking: Asking = { invocation, recorded, agent, session, project }
  const seen = new Map<string, number>()
  let stops: Stops | undefined
  for (const dispatched of inOrder(input.events)) {
    const { event } = dispatched
    const nth = seen.get(event) ?? 0
    seen.set(event, nth + 1)
    for (const registered of index.get(event) ?? nobody) {
      const { hook, source } = registered
      const { by, reason, undecidable, switchedOn }: Judged = judged(registered, event, nth, input, asking)
      if (reason !== undefined) {
        excluded.push({ handler: hook.name, event, reason, ...(by === undefined ? {} : { by }) })
        continue
      }
      const inBackground = hook.background === true
      if (inBackground && (undecidable !== undefined || input.invocation === undefined)) {
        // A guard that cannot be judged speaks by its policy; work after the reply has none.
        excluded.push({
          handler: hook.name,
          event,
          reason: undecidable ?? "nothing runs after the reply here"
        })
        continue
      }
      const refused = undecidable === undefined ? past?.admit(hook, event, asking) : undefined
      if (refused !== undefined) {
        excluded.push({ handler: hook.name, event, reason: refused, by: "past" })
        continue
      }
      const { deadline, ifCannotAsk, onFailure = "allow", priority = defaultPriority } = hook
      const own = deadline === undefined ? undefined : toMillis(deadline)
      const retry = retryOf(hook)
      const from = labelIn(source)
      const common = {
        handler: hook.name,
        event,
        priority,
        source,
        ...(from === undefined ? {} : { from }),
        ...(retry === undefined ? {} : { retry }),
        ...(switchedOn === undefined ? {} : { switchedOn })
      }
      if (inBackground) {
        const at = background.length
        const deliver = deliveringOf(hook)
        background.push({
          ...common,
          index: at,
          deadlineMs: own ?? backgroundDeadlineMs,
          onFailure: "allow",
          background: true,
          ...(hook.whenFull === undefined ? {} : { whenFull: hook.whenFull }),
          ...(deliver === undefined ? {} : { deliver }),
          job: derivedId(invocation, at)
        })
        continue
      }
      if (isStop(event)) stops ??= past?.stops(dispatched, asking)
      handlers.push({
        ...common,
        index: handlers.length,
        deadlineMs: Math.min(own ?? input.deadlineMs, input.deadlineMs),
        onFailure,
        ...(ifCannotAsk === undefined ? {} : { ifCannotAsk }),
        ...(undecidable === undefined ? {} : { stuck: undecidable })
      })
    }
  }
  return {
    handlers,
    left: excluded,
    ...(background.length > 0 ? { background } : {}),
    ...(stops === undefined ? {} : { stops })
  }
}
