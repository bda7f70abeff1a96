/** What a transcript tells that hooks did not: the facts that are news, the calls that no hook saw, the blocks that were ignored. Pure. */
import type { CallObserved } from "../../../events/observedFacts.ts"
import type { Seen } from "../../agents/transcripts/Transcript.ts"
import { observedCall } from "../checks/observe.ts"
import { alikeKey, type HookedCall, type HookedCalls } from "./hookedCalls.ts"

/** At which events this session's agent calls hooks. */
export interface Expected {
  readonly before: boolean
  readonly after: boolean
}

export interface Beside {
  readonly news: readonly Seen[]
  readonly missed: readonly Seen[]
  readonly ignored: readonly Seen[]
}

/**
 * Agents find fault with a call in ways that look like a failure, before they ask hooks: only what surely ran was to be seen. How a failure
 * is told differs between versions, so that an end is missed only where all went well.
 */
const hasSurelyRun = (fact: CallObserved): boolean =>
  fact.told === "ok" || fact.told === "running" || (fact.told === "failed" && fact.exitCode !== undefined)

/** A hook was told how it ended, and so says the transcript. */
const isTold = (fact: CallObserved, hook: HookedCall): boolean => hook.begun && hook.told === fact.told

const derived = (seen: Seen, fact: Seen["fact"], identity: string): Seen => ({ ...seen, fact, identity })

const makeFind = (agent: string, { alike, byId }: HookedCalls) => {
  const used = new Map<string, number>()
  return (fact: CallObserved): HookedCall => {
    const named = byId.get(fact.call)
    if (named !== undefined) return named
    const started = observedCall(fact, agent)?.started
    const key = started === undefined ? "" : alikeKey(started)
    const nth = used.get(key) ?? 0
    const call = alike.get(key)?.[nth]
    if (call !== undefined) used.set(key, nth + 1)
    return call ?? { begun: false }
  }
}

const placeOf = ({ agentVersion, cwd, subagent, turn }: CallObserved) => ({
  source: "transcript" as const,
  ...(cwd === undefined ? {} : { cwd }),
  ...(turn === undefined ? {} : { turn }),
  ...(subagent === undefined ? {} : { subagent }),
  ...(agentVersion === undefined ? {} : { agentVersion })
})

/** `expected`: undefined where what hooks saw is not known as a whole. */
export const besideHooks = (
  agent: string,
  all: readonly Seen[],
  hooks: HookedCalls,
  expected: Expected | undefined
): Beside => {
  const find = makeFind(agent, hooks)
  const news: Seen[] = []
  const missed: Seen[] = []
  const ignored: Seen[] = []
  for (const seen of all) {
    const { fact } = seen
    switch (fact.type) {
      case "TOOL_CALL_SETTLED":
      case "USAGE_OBSERVED":
      case "TURN_INTERRUPTED":
        news.push(seen)
        break
      case "TOOL_CALL_OBSERVED": {
        const hook = find(fact)
        // It may end yet.
        if (fact.told === "untold" && fact.ended === undefined) break
        if (!isTold(fact, hook)) news.push(seen)
        const { call, name } = fact
        const miss = (at: "tool.before" | "tool.after"): void =>
          void missed.push(
            derived(
              seen,
              { type: "HOOK_CALL_MISSED", ...placeOf(fact), call, name, expected: at },
              `${seen.identity}/missed/${at}`
            )
          )
        if (expected?.before === true && !hook.begun && hasSurelyRun(fact)) miss("tool.before")
        if (expected?.after === true && hook.told === undefined && fact.told === "ok") miss("tool.after")
        if (hook.blockedBy !== undefined && hasSurelyRun(fact))
          ignored.push(
            derived(
              seen,
              { type: "DENIAL_IGNORED", ...placeOf(fact), call, name, invocation: hook.blockedBy },
              `${seen.identity}/ignored`
            )
          )
        break
      }
      default:
    }
  }
  return { news, missed, ignored }
}
