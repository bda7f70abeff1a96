/** What went before a hook call, for the engine: the log through its reader, and the two small files made of it. */
import type { Asking, Past } from "../engine/Past.ts"
import type { Hook, LimitScope } from "../hooks/defineHook.ts"
import { mostAttempts } from "../hooks/limitProblems.ts"
import { type Limit, limitsOf, refusal, remembered } from "../hooks/limits.ts"
import { type Account, makeLedger } from "./ledger.ts"
import { openReader, type Reader } from "./reader.ts"
import { stopsBlocked } from "./stopsBlocked.ts"
import { readSwitches, type Switch, switchedBy } from "./switches.ts"

export interface PastOptions {
  readonly state: string
  /** How often hooks may keep an agent from stopping in a row. */
  readonly stopBlocks?: number | undefined
  readonly now?: () => number
}

/** One that is to keep an agent at work has had its say by then. */
export const defaultStopBlocks = 3

/** A hook that never ran in a project is looked for in so many facts, once. */
const window = 1_000_000

const scopes: readonly LimitScope[] = ["session", "project"]

/** Where an agent names no session, its project stands for it. */
const ofScope = (scope: LimitScope, { project, session }: Asking): string =>
  scope === "project" ? project : (session ?? `no session in ${project}`)

export const makePast = ({ state, stopBlocks = defaultStopBlocks, now = Date.now }: PastOptions): Past => {
  const ledger = makeLedger(state)
  const problems: string[] = []
  let reader: Reader | undefined
  let switches: readonly Switch[] | undefined
  let entered = 0

  const complain = (problem: string): void => {
    if (!problems.includes(problem)) problems.push(problem)
  }

  const log = (): Reader => {
    reader ??= openReader(state)
    return reader
  }

  /** When the hook ran, as far as the log tells. */
  const recall = (account: Account, limits: readonly Limit[], asking: Asking) => (): readonly number[] => {
    const longest = Math.max(...limits.map(({ withinMs = Number.POSITIVE_INFINITY }) => withinMs))
    const since = Number.isFinite(longest) ? { since: now() - longest } : {}
    const where =
      account.scope === "session" && asking.session !== null
        ? { session: asking.session }
        : { project: asking.project, window }
    const { facts, problem } = log().facts({
      types: ["HANDLER_STARTED", "JOB_ENQUEUED"],
      handler: account.hook,
      newestFirst: true,
      // Further attempts are told in the same words.
      limit: remembered(limits) * mostAttempts,
      ...where,
      ...since
    })
    if (problem !== undefined && facts.length === 0 && !/no log yet/.test(problem))
      complain(`the limits of hook ${account.hook} begin anew: ${problem}`)
    return facts
      .filter(({ data }) => !("attempt" in data) || (data as { attempt: number }).attempt === 1)
      .map(({ at }) => at)
      .reverse()
  }

  const admit = (hook: Hook, asking: Asking): string | undefined => {
    const all = limitsOf(hook)
    const at = now()
    const accounts = scopes.flatMap((scope) => {
      const limits = all.filter((limit) => limit.scope === scope)
      return limits.length === 0
        ? []
        : [{ limits, account: { hook: hook.name, scope, of: ofScope(scope, asking) } }]
    })
    const refused = (limits: readonly Limit[], runs: readonly number[]): string | undefined => {
      for (const limit of limits) {
        const reason = refusal(limit, runs, at)
        if (reason !== undefined) return reason
      }
      return undefined
    }
    const who = `${asking.invocation}.${entered}`
    // Looked at first: a hook that is kept out leaves nothing behind.
    for (const { account, limits } of accounts) {
      const { isThere, runs } = ledger.runs(account, remembered(limits), who, recall(account, limits, asking))
      const reason = isThere ? undefined : refused(limits, runs)
      if (reason !== undefined) return reason
      if (!isThere) continue
      entered++
      return undefined
    }
    entered++
    const strikes: (() => void)[] = []
    for (const { account, limits } of accounts) {
      const { before, strike } = ledger.enter(account, remembered(limits), at, who)
      strikes.push(strike)
      const reason = refused(limits, before)
      if (reason === undefined) continue
      for (const undo of strikes) undo()
      return reason
    }
    return undefined
  }

  const attempt = <A>(what: string, act: () => A): A | undefined => {
    try {
      return act()
    } catch (error) {
      complain(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }

  return {
    switched: (hook, asking) => {
      switches ??= attempt("what was switched on or off is not known", () => readSwitches(state)) ?? []
      return switches.length === 0 ? undefined : switchedBy(switches, hook, asking)
    },
    admit: (hook, _event, asking) =>
      hook.once === undefined && hook.cooldown === undefined && hook.rateLimit === undefined
        ? undefined
        : attempt(`the limits of hook ${hook.name} are not kept`, () => admit(hook, asking)),
    stops: ({ data, event }, { agent, session }) => {
      const most = stopBlocks
      // Agents that say so spare us the look: nothing kept them going so far. What other programs say of it is their word.
      if (session === null || (agent !== "raw" && data["stopHookActive"] === false))
        return { blocked: 0, most }
      const agentId = typeof data["agentId"] === "string" ? data["agentId"] : undefined
      const blocked = attempt("how often hooks kept the agent from stopping is not known", () =>
        stopsBlocked(log(), { event, session, agentId })
      )
      return { blocked: blocked ?? 0, most }
    },
    complaints: () => {
      reader?.close()
      reader = undefined
      return problems.splice(0)
    }
  }
}
