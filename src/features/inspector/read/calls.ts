/** Lists of calls, and what a search finds. */
import { type CallQuery, callsWhere, findCalls } from "../../timeline/find.ts"
import { countObserved, findObserved } from "../../timeline/findObserved.ts"
import { slowMs } from "../../timeline/runningSums.ts"
import type { Calls, CallsQuery } from "../contract/call.ts"
import type { Found } from "../contract/search.ts"
import { numberOf, part, rows, type Source } from "./Source.ts"
import { listSessions } from "./sessions.ts"

/** With a hook: what it did itself, and not what another one did in a call that it ran in. */
const shown = ({ hook, show }: typeof CallsQuery.Type): Partial<CallQuery> => {
  if (hook !== undefined && show === "blocked") return { did: "block" }
  if (hook !== undefined && (show === "failed" || show === "trouble")) return { did: "fail" }
  switch (show) {
    case "effect":
      return { effect: true }
    case "blocked":
      return { blocked: true }
    case "failed":
      return { failed: true }
    case "slow":
      return { slowerThan: slowMs }
    case "open":
      return { open: true }
    case "trouble":
      return { trouble: true }
    default:
      return {}
  }
}

export const callQuery = (query: typeof CallsQuery.Type): CallQuery => ({
  ...shown(query),
  ...(query.session === undefined ? {} : { session: query.session }),
  ...(query.agent === undefined ? {} : { agent: query.agent }),
  ...(query.project === undefined ? {} : { project: query.project }),
  ...(query.hook === undefined ? {} : { hook: query.hook }),
  ...(query.text === undefined || query.text === "" ? {} : { text: query.text }),
  ...(query.from === undefined ? {} : { since: query.from }),
  ...(query.to === undefined ? {} : { until: query.to })
})

export const lastCallPosition = (source: Pick<Source, "db">): number =>
  numberOf(source, "SELECT max(position) AS n FROM timeline_calls")

const count = (source: Source, query: CallQuery): number => {
  const { sql, values } = callsWhere(query)
  return numberOf(source, `SELECT count(*) AS n FROM timeline_calls AS calls WHERE ${sql}`, ...values)
}

/** The silent calls between those of a part, and before the first and after the last of the list. */
const foldsOf = (source: Source, query: CallQuery, positions: readonly number[]): Calls["folds"] => {
  const { effect: _, ...all } = query
  const edges = [...positions, 0]
  return positions.flatMap((position, at) => {
    const older = edges[at + 1] ?? 0
    const { sql, values } = callsWhere({ ...all, before: position, after: older })
    const [found] = rows<{ readonly calls: number; readonly waitMs: number }>(
      source,
      `SELECT count(*) AS calls, coalesce(sum(wait), 0) AS waitMs FROM timeline_calls AS calls WHERE ${sql} AND outcome = 'silent'`,
      ...values
    )
    return found === undefined || found.calls === 0
      ? []
      : [{ before: position, calls: found.calls, waitMs: found.waitMs }]
  })
}

/** By when they happened: one that was imported today may be months old. */
const listObserved = (source: Source, asked: typeof CallsQuery.Type): Calls => {
  const upTo = asked.upTo ?? numberOf(source, "SELECT max(position) AS n FROM timeline_observed")
  const { limit, offset } = part(asked)
  const query = { ...callQuery(asked), upTo }
  return {
    total: countObserved(source.db, query),
    upTo,
    offset,
    calls: [...findObserved(source.db, { ...query, limit, offset })].reverse(),
    folds: [],
    all: countObserved(source.db, { upTo })
  }
}

export const listCalls = (source: Source, asked: typeof CallsQuery.Type): Calls => {
  if (asked.show === "transcript") return listObserved(source, asked)
  const upTo = asked.upTo ?? lastCallPosition(source)
  const { limit, offset } = part(asked)
  const query = { ...callQuery(asked), upTo }
  const calls = [...findCalls(source.db, { ...query, limit, offset }, source.now)].reverse()
  return {
    total: count(source, query),
    upTo,
    offset,
    calls,
    folds: query.effect
      ? foldsOf(
          source,
          query,
          calls.map(({ position }) => position)
        )
      : [],
    all: count(source, { upTo, ...(asked.session === undefined ? {} : { session: asked.session }) })
  }
}

const maxFound = 20
const maxObserved = 10
const weekMs = 7 * 86_400_000

export const search = (source: Source, { text }: { readonly text: string }): Found => {
  const words = text.trim()
  if (words === "") return { calls: [], totalCalls: 0, sessions: [], hooks: [] }
  const hooks = rows<{ readonly hook: string }>(
    source,
    "SELECT DISTINCT hook FROM timeline_runs WHERE instr(lower(hook), ?) > 0 ORDER BY hook LIMIT ?",
    words.toLowerCase(),
    maxFound
  )
  return {
    calls: [
      ...findCalls(source.db, { text: words, limit: maxFound }, source.now).toReversed(),
      ...findObserved(source.db, { text: words, limit: maxObserved }).toReversed()
    ],
    totalCalls: count(source, { text: words }),
    sessions: listSessions(source, { text: words, limit: maxFound }).sessions,
    hooks: hooks.map(({ hook }) => hook)
  }
}

/** Hooks that failed in the last week, whichever failed last first; then those whose work after the reply did. */
export const failingHooks = (source: Source): readonly string[] => [
  ...new Set([...failingInCalls(source), ...failingJobs(source)])
]

/** Of a call that the lists have: hooktape's own work is no hook's. */
const failingJobs = (source: Source): readonly string[] =>
  rows<{ readonly hook: string }>(
    source,
    `SELECT hook FROM timeline_jobs AS jobs CROSS JOIN timeline_calls AS calls ON calls.invocation = jobs.invocation
      WHERE jobs.state = 'dead' AND jobs.at >= ? AND own = 0 GROUP BY hook ORDER BY max(jobs.position) DESC`,
    source.now - weekMs
  ).map(({ hook }) => hook)

const failingInCalls = (source: Source): readonly string[] =>
  rows<{ readonly hook: string }>(
    source,
    // The plus: of the calls of that week, and not from the first call on until one is young enough.
    `SELECT hook, max(runs.call) AS last FROM timeline_runs AS runs JOIN timeline_calls AS calls ON calls.position = runs.call
      WHERE runs.outcome IN ('failed', 'timed-out') AND calls.own = 0 AND calls.at >= ?
        AND runs.call >= (SELECT min(+position) FROM timeline_calls WHERE own = 0 AND at >= ?)
      GROUP BY hook ORDER BY last DESC`,
    source.now - weekMs,
    source.now - weekMs
  ).map(({ hook }) => hook)
