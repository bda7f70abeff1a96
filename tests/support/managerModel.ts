/**
 * What the hook manager is to do, written down as simply as it can be said: lists and loops, no machine, no log, no file. A law holds the
 * real one against it.
 */
import {
  blockingFeedback,
  diagnostic,
  type Intent,
  type JsonObject,
  modelContext
} from "../../events/intents.ts"

export interface ModelHook {
  readonly name: string
  readonly on: readonly string[]
  readonly priority: number
  readonly enabled: boolean
  /** What somebody said by hand, for all. */
  readonly switched: boolean | undefined
  readonly agents: readonly string[] | undefined
  /** The answer of its predicate. */
  readonly matches: boolean | undefined
  readonly policy: "allow" | "block" | "ask"
  readonly attempts: number
  /** How many of its attempts fail in each run, before one succeeds. */
  readonly fails: number
  /** A run that takes all the time there is. */
  readonly overruns: boolean
  readonly intents: readonly Intent[]
  readonly patch: JsonObject | undefined
  readonly limits: readonly ModelLimit[]
}

export interface ModelLimit {
  readonly name: "once" | "cooldown" | "rateLimit"
  readonly scope: "session" | "project"
  readonly most: number
  /** Seconds. */
  readonly within: number
}

export interface ModelCall {
  readonly at: number
  readonly session: string
  readonly agent: string
  readonly events: readonly string[]
}

export interface Expected {
  /** `event hook`, in order. */
  readonly planned: readonly string[]
  /** `event hook: kind of reason`, in order. */
  readonly left: readonly string[]
  /** `hook attempt`, in order. */
  readonly started: readonly string[]
  /** What each run saw of those before it. */
  readonly seen: readonly JsonObject[]
  readonly intents: readonly Intent[]
}

export const noTime = "the invocation's deadline has passed"

/** A manager with the memory of all its calls. */
export const makeModel = (hooks: readonly ModelHook[]) => {
  const history: { readonly hook: string; readonly session: string; readonly at: number }[] = []

  const refusedBy = (hook: ModelHook, call: ModelCall): string | undefined => {
    // Of several that keep it out the nearest names itself.
    const kinds = ["once", "cooldown", "rateLimit"]
    const rank = ({ name, scope }: ModelLimit) => (scope === "session" ? 0 : 10) + kinds.indexOf(name)
    for (const limit of [...hook.limits].sort((a, b) => rank(a) - rank(b))) {
      const runs = history.filter(
        (run) =>
          run.hook === hook.name &&
          (limit.scope === "project" || run.session === call.session) &&
          (limit.name === "once" || call.at - run.at < limit.within)
      )
      if (runs.length >= limit.most) return limit.name
    }
    return undefined
  }

  const reasonToLeave = (hook: ModelHook, call: ModelCall): string | undefined => {
    if (hook.switched === false || (hook.switched === undefined && !hook.enabled)) return "disabled"
    if (hook.agents !== undefined && !hook.agents.includes(call.agent)) return "not for"
    if (hook.matches === false) return "when"
    return refusedBy(hook, call)
  }

  return (call: ModelCall): Expected => {
    const planned: string[] = []
    const left: string[] = []
    const started: string[] = []
    const seen: JsonObject[] = []
    const intents: Intent[] = []
    const queue: ModelHook[] = []
    for (const event of call.events) {
      const inOrder = [...hooks].sort((a, b) => a.priority - b.priority)
      for (const hook of inOrder.filter(({ on }) => on.includes(event))) {
        const reason = reasonToLeave(hook, call)
        if (reason === undefined) {
          planned.push(`${event} ${hook.name}`)
          queue.push(hook)
          history.push({ hook: hook.name, session: call.session, at: call.at })
        } else left.push(`${event} ${hook.name}: ${reason}`)
      }
    }
    let metadata: JsonObject = {}
    let late = false
    for (const hook of queue) {
      const say = (level: "warn" | "error", what: string) => {
        intents.push(diagnostic(level, `hook ${hook.name} ${what}`))
      }
      const speak = (what: string) => {
        if (hook.policy === "block")
          intents.push(blockingFeedback(`The hook ${hook.name} ${what}. Its policy is to block.`))
        if (hook.policy === "ask") {
          const reason = `The hook ${hook.name} ${what}. Its policy is to ask.`
          intents.push(modelContext({ permission: "ask", reason }))
        }
      }
      if (late) {
        say(hook.policy === "allow" ? "warn" : "error", `was skipped: ${noTime}`)
        speak(`was skipped: ${noTime}`)
        continue
      }
      for (let attempt = 1; attempt <= hook.attempts; attempt++) {
        started.push(`${hook.name} ${attempt}`)
        seen.push(metadata)
        if (attempt > hook.fails) {
          intents.push(...hook.intents)
          metadata = { ...metadata, ...hook.patch }
          late = hook.overruns
          break
        }
        if (attempt < hook.attempts) say("warn", "failed: boom; it is tried again")
        else {
          say("error", "failed: boom")
          speak("failed: boom")
        }
      }
    }
    return { planned, left, started, seen, intents }
  }
}
