/** What a hook's limits and the agent's stops ask of the log. Apart: most calls ask for neither, and it is much to load. */
import type { Dispatched } from "../../events/agentEvents.ts"
import type { Hook } from "../hooks/defineHook.ts"
import type { LimitScope } from "../hooks/hookOptions.ts"
import { maxAttempts } from "../hooks/limitProblems.ts"
import { type Limit, limitsOf, refusal, remembered } from "../hooks/limits.ts"
import { noLog } from "../log/openForReading.ts"
import { openReader, type Reader } from "../log/reader.ts"
import { messageOf } from "../state/messageOf.ts"
import { type Account, makeLedger, type Run } from "./ledger.ts"
import type { Asking } from "./Past.ts"
import { stopsBlocked } from "./stopsBlocked.ts"

export interface RecallOptions {
  readonly state: string
  readonly now: () => number
  readonly complain: (problem: string) => void
}

export interface Recall {
  /** Why a hook with limits is not to run now. One that may run has run. */
  readonly admit: (hook: Hook, asking: Asking) => string | undefined
  /** How often in a row hooks kept the agent from stopping. */
  readonly blocked: (event: Dispatched, asking: Asking) => number
  /** Lets go of the log. */
  readonly close: () => void
}

export type MakeRecall = (options: RecallOptions) => Recall

/** A hook that never ran in a project is looked for in so many facts, once. */
const window = 1_000_000

/** Stops that have no answer yet. Beyond that time whoever answered it was ended. */
const maxWaiting = 100
const longestWait = 120_000

const scopes: readonly LimitScope[] = ["session", "project"]

/** Where an agent names no session, its project stands for it. */
const ofScope = (scope: LimitScope, { project, session }: Asking): string =>
  scope === "project" ? project : (session ?? `no session in ${project}`)

export const makeRecall: MakeRecall = ({ complain, now, state }) => {
  const ledger = makeLedger(state)
  let reader: Reader | undefined
  let entered = 0

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
      limit: remembered(limits) * maxAttempts,
      ...where,
      ...since
    })
    if (problem !== undefined && facts.length === 0 && problem !== noLog)
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
      const reason = refused(
        limits,
        before.map((run) => run.at)
      )
      if (reason === undefined) continue
      for (const undo of strikes) undo()
      return reason
    }
    return undefined
  }

  return {
    admit,
    blocked: ({ data, event }, { invocation, recorded: who = invocation, session }) => {
      if (session === null) return 0
      const agentId = typeof data["agentId"] === "string" ? data["agentId"] : undefined
      const account: Account = { hook: "", scope: "session", of: JSON.stringify([session, event, agentId]) }
      const at = now()
      // Entered before the log is asked: of several at one moment each sees those before it, answered or not yet.
      let before: readonly Run[] = []
      try {
        ledger.runs(account, maxWaiting, who, () => [])
        before = ledger.enter(account, maxWaiting, at, who).before
      } catch (error) {
        complain(`stops of the same moment are not counted: ${messageOf(error)}`)
      }
      const waiting = before.filter((run) => at - run.at < longestWait && run.who !== who)
      return stopsBlocked(log(), { event, session, agentId, waiting })
    },
    close: () => {
      reader?.close()
      reader = undefined
    }
  }
}
