/** A window of time: the map of all of it, a lane for each session, and what delayed the agents. */
import { byKey } from "../../../state/byKey.ts"
import type { Condition } from "../../timeline/find.ts"
import { binsOfAll, type Bin as Counted, minuteMs, rank, worstFirst } from "../../timeline/runningSums.ts"
import type { Bin, Bins, Lane, Window, WindowQuery } from "../contract/live.ts"
import { ofSession, row, rows, type Source } from "./Source.ts"
import { isAgents, sessionStates } from "./sessions.ts"
import { type Bar, type MarkRow, markColumns, markOf, toolBars } from "./tools.ts"

type Delay = Window["delays"][number]

const usualBins = 240
const maxBins = 2000
/** More marks in one lane are not worth drawing one by one. */
const maxMarks = 1500
const maxLanes = 100
const hourMs = 3_600_000

const binOf = ({ calls, longest, nth, rank: worst }: Counted, from: number, stepMs: number): Bin => ({
  at: from + nth * stepMs,
  kind: worstFirst[worst] ?? "silent",
  calls,
  longestMs: longest ?? 0
})

const binsOf = (source: Source, from: number, to: number, many: number, of: Condition): Bins => {
  const stepMs = Math.max(1, (to - from) / many)
  const found = rows<Counted>(
    source,
    `SELECT CAST((at - ?) / ? AS INTEGER) AS nth, min(${rank}) AS rank, count(*) AS calls, max(wait) AS longest
      FROM timeline_calls WHERE own = 0 AND at >= ? AND at <= ?${of.sql} GROUP BY nth ORDER BY nth`,
    from,
    stepMs,
    from,
    to,
    ...of.values
  )
  return { from, to, stepMs, bins: found.map((one) => binOf(one, from, stepMs)) }
}

/** All there is, of a session or of all. Where a bin is a minute or longer it is whole minutes, of which sums are kept. */
const mapOf = (
  source: Source,
  first: number,
  to: number,
  { many, session }: { readonly many: number; readonly session: string | undefined }
): Bins => {
  if (session !== undefined || (to - first) / many < minuteMs)
    return binsOf(source, first, to, many, ofSession(session))
  const from = Math.floor(first / minuteMs) * minuteMs
  const stepMs = Math.ceil((to - from) / many / minuteMs) * minuteMs
  const end = from + Math.ceil((to - from) / stepMs) * stepMs
  return {
    from,
    to: end,
    stepMs,
    bins: binsOfAll(source.db, from, stepMs).map((one) => binOf(one, from, stepMs))
  }
}

/** From the first call to the end of the last. */
const extentOf = (
  source: Source,
  session: string | undefined
): { readonly from: number; readonly to: number } => {
  const [calls, values] =
    session === undefined
      ? ["timeline_calls WHERE own = 0", []]
      : ["timeline_calls WHERE own = 0 AND session = ?", [session]]
  const found = row<{ readonly from: number | null; readonly to: number | null }>(
    source,
    `SELECT (SELECT min(at) FROM ${calls}) AS 'from', (SELECT at + coalesce(wait, 0) FROM ${calls} ORDER BY at DESC LIMIT 1) AS 'to'`,
    ...values,
    ...values
  )
  return {
    from: found?.from ?? source.now,
    to: Math.max((found?.to ?? source.now) + 1, found?.from ?? source.now)
  }
}

const delaysOf = (
  source: Source,
  from: number,
  to: number,
  session: string | undefined
): readonly Delay[] => {
  const of = ofSession(session, from)
  const values = [from, to, ...of.values]
  const hooks = rows<{ readonly hook: string } & Omit<Delay, "hook">>(
    source,
    `SELECT hook, coalesce(sum(ms), 0) AS ms, count(*) AS runs, coalesce(max(ms), 0) AS slowestMs
      FROM timeline_calls AS calls JOIN timeline_runs AS runs ON runs.call = calls.position
      WHERE calls.at >= ? AND calls.at < ? AND own = 0${of.sql} AND ms IS NOT NULL
      GROUP BY hook ORDER BY ms DESC`,
    ...values
  )
  const all = row<{ readonly ms: number; readonly runs: number; readonly slowestMs: number }>(
    source,
    `SELECT coalesce(sum(wait), 0) AS ms, count(*) AS runs, coalesce(max(wait), 0) AS slowestMs FROM timeline_calls
      WHERE at >= ? AND at < ? AND own = 0${of.sql}`,
    ...values
  )
  const own = (all?.ms ?? 0) - hooks.reduce((sum, { ms }) => sum + ms, 0)
  const ours: Delay = { hook: null, ms: Math.max(0, own), runs: all?.runs ?? 0, slowestMs: 0 }
  return [...hooks, ours].sort((a, b) => b.ms - a.ms)
}

interface SessionRow {
  readonly session: string
  readonly agent: string
  readonly project: string | null
  readonly last: number
  readonly calls: number
  readonly waited: number | null
}

interface Prompt {
  readonly session: string
  readonly turn: string
  readonly text: string | null
  readonly from: number
  readonly to: number
}

const by = <A extends { readonly session: string }>(all: readonly A[]): ReadonlyMap<string, readonly A[]> =>
  byKey(all, ({ session }) => session)

export const window = (source: Source, query: typeof WindowQuery.Type): Window => {
  const extent = extentOf(source, query.session)
  const to = query.span === undefined ? (query.to ?? Math.max(extent.to, query.from ?? 0)) : source.now
  const from = query.span === undefined ? (query.from ?? Math.max(extent.from, to - hourMs)) : to - query.span
  const many = Math.max(1, Math.min(maxBins, Math.trunc(query.bins ?? usualBins)))
  const { session } = query
  const of = ofSession(session, from)
  const values = [from, to, ...of.values]
  const sessions = rows<SessionRow>(
    source,
    // What is in the window first: SQLite would rather walk through all calls by session, to have them grouped.
    `SELECT found.session, agent, project, last, found.calls, waited
      FROM (SELECT session, count(*) AS calls, sum(wait) AS waited FROM timeline_calls
        WHERE at >= ? AND at < ? AND own = 0${of.sql} GROUP BY +session) AS found
      CROSS JOIN timeline_sessions AS sessions ON sessions.session = found.session AND ${isAgents("sessions")}
      ORDER BY last DESC LIMIT ${maxLanes}`,
    ...values
  )
  const states = sessionStates(source, from, session)
  const isDrawn = ({ calls }: SessionRow): boolean => calls <= maxMarks
  const anyDrawn = sessions.some(isDrawn)
  const bars: ReadonlyMap<string, readonly Bar[]> = anyDrawn
    ? by(toolBars(source, { from, to, limit: maxMarks * 4, ...(session === undefined ? {} : { session }) }))
    : new Map()
  const marks = anyDrawn
    ? by(
        rows<MarkRow>(
          source,
          `${markColumns} WHERE own = 0 AND tool_use IS NULL AND session IS NOT NULL AND at >= ? AND at < ?${of.sql} ORDER BY position`,
          ...values
        )
      )
    : new Map<string, never[]>()
  const prompts = by(
    rows<Prompt>(
      source,
      `SELECT session, turn, prompt AS text, began AS 'from', last AS 'to' FROM timeline_turns
        WHERE last >= ? AND began < ?${ofSession(session).sql} ORDER BY began`,
      ...values
    )
  )
  const lanes = sessions.map((one): Lane => {
    const drawn = isDrawn(one)
    const state = states.get(one.session) ?? "quiet"
    return {
      session: one.session,
      agent: one.agent,
      project: one.project,
      state,
      last: one.last,
      waitedMs: one.waited ?? 0,
      prompts: (prompts.get(one.session) ?? []).map(({ from: began, text, to: ended, turn }) => ({
        turn,
        text,
        from: began,
        to: ended
      })),
      tools: drawn ? (bars.get(one.session) ?? []).map(({ bar }) => bar) : null,
      calls: drawn ? (marks.get(one.session) ?? []).map(markOf) : null,
      bins: drawn ? null : binsOf(source, from, to, many, ofSession(one.session, from)).bins
    }
  })
  return {
    from,
    to,
    map: mapOf(source, extent.from, extent.to, { many, session: query.session }),
    stepMs: Math.max(1, (to - from) / many),
    lanes,
    delays: delaysOf(source, from, to, session),
    delayedCalls: sessions.reduce((sum, { calls }) => sum + calls, 0)
  }
}
