/** Chains as the page shows them, and how the calls of a session belong to them. */
import type { Effect } from "../../../../machines/chain.ts"
import { type Related, timesSeen } from "../../chains/Chain.ts"
import { listChains as chainsIn, chainsMark, countChains, relatedIn } from "../../chains/find.ts"
import { errorLine } from "../../chains/fix.ts"
import type { ChainRow, Chains, ChainsQuery } from "../contract/chains.ts"
import type { SessionChain, SessionTool } from "../contract/session.ts"
import { part, type Source } from "./Source.ts"

const stepOf = ({ kind, toolUseId, what }: Effect) => ({ toolUse: toolUseId, kind, what })

const rowOf = (chain: Related): ChainRow => {
  const { abandoned, agent, attempts, earlier, ending, id, moved, opened, problem, project, relation } = chain
  return {
    chain: id,
    state: chain.state,
    grade: ending?.grade ?? null,
    problem: errorLine(chain),
    family: problem.family,
    agent,
    project,
    session: chain.session,
    opened,
    moved,
    seen: timesSeen(chain),
    sightings: chain.sightings.map(({ at, toolUseId }) => ({ toolUse: toolUseId, at })),
    relation,
    earlier: earlier?.chain ?? null,
    attempts: attempts.map(({ at, effects, helped, how }) => ({
      at,
      helped,
      how,
      steps: effects.map(stepOf)
    })),
    fix: (ending?.fix ?? []).map(stepOf),
    proof:
      ending === undefined
        ? null
        : { by: ending.by, toolUse: ending.toolUseId, shown: ending.shown, at: ending.at },
    ms: ending?.ms ?? null,
    flaky: ending?.flaky ?? false,
    abandoned: abandoned?.why ?? null
  }
}

const notEnded = ["open", "attempted", "cleared"] as const

export const listChains = (source: Source, query: typeof ChainsQuery.Type): Chains => {
  const { limit, offset } = part(query)
  const { chain, project, session, state } = query
  const states = state === undefined ? undefined : state === "open" ? notEnded : [state]
  const counts = countChains(source.db, { id: chain, project, session })
  const total = Object.entries(counts)
    .filter(([name]) => states === undefined || (states as readonly string[]).includes(name))
    .reduce((sum, [, many]) => sum + many, 0)
  const found = chainsIn(source.db, { id: chain, project, session, states }, limit, offset)
  return {
    total,
    upTo: query.upTo ?? chainsMark(source.db) ?? 0,
    offset,
    chains: relatedIn(source.db, found).map(rowOf),
    states: counts
  }
}

/** More of one session nobody looks through beside it. */
const maxOfSession = 200

export interface OfSession {
  readonly chains: readonly SessionChain[]
  /** By the agent's id of a call: the part it has in each chain. */
  readonly parts: ReadonlyMap<string, NonNullable<SessionTool["chains"]>>
}

const whats = (steps: readonly Effect[]): readonly string[] => [...new Set(steps.map(({ what }) => what))]

/** In the order in which the problems were first seen. */
export const chainsOfSession = (source: Source, session: string): OfSession => {
  const found = chainsIn(source.db, { session }, maxOfSession).toReversed()
  const parts = new Map<string, { readonly chain: string; readonly part: "problem" | "attempt" | "fix" }[]>()
  const put = (use: string, chain: string, one: "problem" | "attempt" | "fix"): void => {
    const there = parts.get(use) ?? []
    if (there.some((other) => other.chain === chain)) return
    parts.set(use, [...there, { chain, part: one }])
  }
  for (const { attempts, ending, id, sightings } of found) {
    // What fixed it was an attempt as well, and a call that showed it again may be one.
    for (const { toolUseId } of ending?.fix ?? []) put(toolUseId, id, "fix")
    for (const { toolUseId } of sightings) put(toolUseId, id, "problem")
    for (const { effects } of attempts) for (const { toolUseId } of effects) put(toolUseId, id, "attempt")
  }
  return {
    chains: found.map((chain) => ({
      chain: chain.id,
      state: chain.state,
      problem: errorLine(chain),
      seen: timesSeen(chain),
      attempts: chain.attempts.map(({ effects, helped }) => ({ what: whats(effects), helped })),
      fix: whats(chain.ending?.fix ?? []),
      grade: chain.ending?.grade ?? null
    })),
    parts
  }
}
