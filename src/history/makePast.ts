/** What went before a hook call, for the engine: what was switched on or off, and, where somebody asks for more, the log. */
import { hearing } from "../hooks/delivery.ts"
import { messageOf } from "../state/messageOf.ts"
import { isWaiting } from "./deliveries.ts"
import type { Past } from "./Past.ts"
import type { MakeRecall, Recall } from "./recall.ts"
import { readSwitches, type Switch, switchedBy } from "./switches.ts"

export interface PastOptions {
  readonly state: string
  /** How often hooks may keep an agent from stopping in a row. */
  readonly stopBlocks?: number | undefined
  readonly now?: () => number
  /** Asked for when a hook has limits, or hooks may have kept the agent going. */
  readonly recall: () => MakeRecall
}

/** Agents whose payload does not tell whether hooks kept them going, and programs whose word it would be. */
const tellsNothing: readonly string[] = ["raw", "qwen-code"]

/** One that is to keep an agent at work has had its say by then. */
export const defaultStopBlocks = 3

/** Why the hook is left out that says what others left. */
const nothingWaits = "nothing waits for this session"

export const makePast = (options: PastOptions): Past => {
  const { state, stopBlocks: most = defaultStopBlocks, now = Date.now } = options
  const problems: string[] = []
  let recall: Recall | undefined
  let switches: readonly Switch[] | undefined

  const complain = (problem: string): void => {
    if (!problems.includes(problem)) problems.push(problem)
  }

  const recalled = (): Recall => {
    recall ??= options.recall()({ state, now, complain })
    return recall
  }

  const attempt = <A>(what: string, act: () => A): A | undefined => {
    try {
      return act()
    } catch (error) {
      complain(`${what}: ${messageOf(error)}`)
      return undefined
    }
  }

  return {
    switched: (hook, asking) => {
      switches ??= attempt("what was switched on or off is not known", () => readSwitches(state)) ?? []
      return switches.length === 0 ? undefined : switchedBy(switches, hook, asking)
    },
    admit: (hook, _event, asking) => {
      if (hook[hearing] === true && !isWaiting(state, asking.session)) return nothingWaits
      return hook.once === undefined && hook.cooldown === undefined && hook.rateLimit === undefined
        ? undefined
        : attempt(`the limits of hook ${hook.name} are not kept`, () => recalled().admit(hook, asking))
    },
    stops: (event, asking) => {
      // Agents that say so spare us the look: nothing kept them going so far.
      const isFirst = !tellsNothing.includes(asking.agent) && event.data["stopHookActive"] === false
      if (asking.session === null || isFirst) return { blocked: 0, most }
      const blocked = attempt("how often hooks kept the agent from stopping is not known", () =>
        recalled().blocked(event, asking)
      )
      return { blocked: blocked ?? 0, most }
    },
    complaints: () => {
      recall?.close()
      return problems.splice(0)
    }
  }
}
