/** Chains as they are given to programs: a row for each call that showed the problem. What is printed stays the same when what is kept does not. Pure. */
import type { Earlier, Related } from "./Chain.ts"
import { timesSeen } from "./Chain.ts"

export type RowRelation = "new" | "reobserved" | "recurrence" | "same pattern"

const iso = (at: number): string => new Date(at).toISOString()

const relationAt = (
  chain: Related,
  nth: number
): { readonly relation: RowRelation; readonly recursOf: Earlier | null } => {
  if (nth > 0)
    return {
      relation: "reobserved",
      recursOf: { chain: chain.id, toolUseId: chain.sightings[0]?.toolUseId ?? "" }
    }
  return { relation: chain.relation, recursOf: chain.relation === "recurrence" ? chain.earlier : null }
}

export const rowsOf = (chain: Related) =>
  chain.sightings.map(({ at, toolUseId }, nth) => ({
    chain: chain.id,
    state: chain.state,
    grade: chain.ending?.grade ?? null,
    problem: { ...chain.problem, signature: chain.signature },
    error: { session: chain.session, toolUseId },
    fix: (chain.ending?.fix ?? []).map(({ kind, toolUseId: id, what }) => ({ toolUseId: id, kind, what })),
    attempts: chain.attempts.map(({ at: when, effects, helped, how }) => ({
      at: iso(when),
      helped,
      how,
      effects: effects.map(({ kind, toolUseId: id, what }) => ({ toolUseId: id, kind, what }))
    })),
    proof:
      chain.ending === undefined
        ? null
        : {
            toolUseId: chain.ending.toolUseId,
            by: chain.ending.by,
            shown: chain.ending.shown,
            at: iso(chain.ending.at)
          },
    ...relationAt(chain, nth),
    revealedBy: chain.revealedBy,
    project: chain.project,
    agent: chain.agent,
    seenAt: iso(at),
    seen: timesSeen(chain),
    context: chain.context,
    flaky: chain.ending?.flaky ?? false,
    ms: chain.ending?.ms ?? null,
    abandoned: chain.abandoned ? { why: chain.abandoned.why, at: iso(chain.abandoned.at) } : null
  }))
