/** Tool calls as bars, with the calls of hooks that delayed each. */
import { byKey } from "../../../state/byKey.ts"
import { givenUpOfCall } from "../../timeline/failedJobs.ts"
import { findObservedRows, type ObservedRow } from "../../timeline/findObserved.ts"
import type { GivenUp, Mark, ToolBar } from "../contract/live.ts"
import { ofSession, rows, type Source } from "./Source.ts"

interface ToolRow {
  readonly session: string
  readonly use: string
  readonly turn: string | null
  readonly subagent: string | null
  readonly name: string
  readonly kind: string
  readonly subject: string | null
  readonly began: number
  readonly ended: number | null
  readonly ok: number | null
}

export interface MarkRow extends Omit<Mark, "givenUp"> {
  readonly session: string
  readonly use: string | null
  /** JSON. */
  readonly given_up: string | null
}

export interface Bar {
  readonly session: string
  readonly turn: string | null
  readonly bar: ToolBar
}

export interface BarQuery {
  readonly session?: string
  readonly from?: number
  readonly to?: number
  /** The newest so many. */
  readonly limit: number
}

/** What tells how a command came out that checks something. */
const checks =
  /\b(test|vitest|jest|pytest|tsc|eslint|biome|lint|check|cargo (?:test|clippy|check)|go (?:test|vet)|mypy|ruff)\b/

/** A command line of which the exit code is not that of its check. */
const isPiped = /[|;&]/

const verdictOf = ({ kind, ok, subject }: Pick<ToolRow, "kind" | "ok" | "subject">): ToolBar["verdict"] => {
  if (kind !== "shell" || subject === null || !checks.test(subject)) return null
  if (ok === null) return "unknown"
  return ok === 1 ? (isPiped.test(subject) ? "unknown" : "green") : "red"
}

export const markColumns = `SELECT session, tool_use AS use, invocation, at, wait AS waitMs, event, outcome, decided_by AS 'by', ${givenUpOfCall} AS given_up FROM timeline_calls AS calls`

/** What the column of `givenUpOfCall` holds, as a member that is missing where it holds nothing. */
export const givenUpIn = (json: string | null): { readonly givenUp?: GivenUp } =>
  json === null ? {} : { givenUp: JSON.parse(json) as GivenUp }

export const markOf = ({ at, by, event, given_up, invocation, outcome, waitMs }: MarkRow): Mark => ({
  invocation,
  at,
  waitMs,
  event,
  outcome,
  by,
  ...givenUpIn(given_up)
})

const isBefore = ({ event }: Mark): boolean => event === "tool.before" || event === "tool.permission"

const marksOf = (source: Source, { from, session, to }: BarQuery): ReadonlyMap<string, readonly Mark[]> => {
  const of = ofSession(session, from)
  const found = rows<MarkRow>(
    source,
    `${markColumns} WHERE own = 0 AND tool_use IS NOT NULL AND at >= ? AND at < ?${of.sql} ORDER BY position`,
    from ?? 0,
    to ?? Number.MAX_SAFE_INTEGER,
    ...of.values
  )
  const by = new Map<string, Mark[]>()
  for (const one of found) {
    const key = `${one.session} ${one.use}`
    const there = by.get(key)
    if (there === undefined) by.set(key, [markOf(one)])
    else there.push(markOf(one))
  }
  return by
}

/** No tool runs so long that its first call would lie further back. */
const longestToolMs = 3_600_000

const okOf = ({ told }: ObservedRow): number | null =>
  told === null || told === "running" || told === "untold" ? null : told === "ok" ? 1 : 0

const observedBar = (one: ObservedRow): Bar => {
  const kind = one.tool_kind ?? "other"
  const ok = okOf(one)
  return {
    session: one.session ?? "",
    turn: one.turn,
    bar: {
      use: one.tool_use ?? `t${one.position}`,
      name: one.tool ?? "",
      kind,
      subject: one.subject,
      subagent: one.subagent,
      from: one.at,
      to: one.ended,
      ok: ok === null ? null : ok === 1,
      verdict: verdictOf({ kind, ok, subject: one.subject }),
      source: "transcript",
      before: [],
      after: []
    }
  }
}

/** Those that only the transcript tells of. */
const observedBars = (source: Source, { from, limit, session, to }: BarQuery): readonly Bar[] =>
  findObservedRows(source.db, {
    event: "tool.before",
    limit,
    ...(session === undefined ? {} : { session }),
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to })
  }).map(observedBar)

interface Ending {
  readonly session: string
  readonly subagent: string | null
  readonly event: string
  readonly at: number
}

/** What ends all tool calls before it, the first one first. */
const endingsOf = (source: Source, { from, session }: BarQuery): ReadonlyMap<string, readonly Ending[]> => {
  const of = ofSession(session, from)
  const found = rows<Ending>(
    source,
    `SELECT session, subagent, event, at FROM timeline_calls
      WHERE own = 0 AND session IS NOT NULL AND at >= ?${of.sql}
        AND event IN ('prompt.submit', 'turn.stop', 'turn.error', 'turn.interrupt', 'subagent.stop', 'session.end')
      ORDER BY at`,
    from ?? 0,
    ...of.values
  )
  return byKey(found, (one) => one.session)
}

/** The end of a subagent is that of its own tool calls alone. */
const untilOf = ({ began, subagent }: ToolRow, endings: readonly Ending[]): number | undefined =>
  endings.find(
    ({ at, event, subagent: whose }) => at > began && (event !== "subagent.stop" || whose === subagent)
  )?.at

/** In the order in which they began, the newest so many. */
export const toolBars = (source: Source, query: BarQuery): readonly Bar[] => {
  const observed = observedBars(source, query)
  const hooked = hookedBars(source, query)
  return observed.length === 0
    ? hooked
    : [...hooked, ...observed].sort((a, b) => a.bar.from - b.bar.from).slice(-query.limit)
}

const hookedBars = (source: Source, query: BarQuery): readonly Bar[] => {
  const { from = 0, limit, session, to = Number.MAX_SAFE_INTEGER } = query
  const of = ofSession(session)
  const found = rows<ToolRow>(
    source,
    `SELECT * FROM timeline_tools WHERE began >= ? AND began < ? AND (ended IS NULL OR ended >= ?)${of.sql}
      ORDER BY began DESC LIMIT ?`,
    from === 0 ? 0 : from - longestToolMs,
    to,
    from,
    ...of.values,
    limit
  ).toReversed()
  const since = { ...query, from: from === 0 ? 0 : from - longestToolMs }
  const marks = marksOf(source, since)
  const endings = found.some(({ ended }) => ended === null) ? endingsOf(source, since) : undefined
  return found.map((one) => {
    const own = marks.get(`${one.session} ${one.use}`) ?? []
    const before = own.filter(isBefore)
    const after = own.filter((mark) => !isBefore(mark))
    // What was blocked never ran: nothing comes after it.
    const last = after.at(-1) ?? before.find(({ outcome }) => outcome === "blocked")
    const to = last === undefined ? one.ended : last.at + (last.waitMs ?? 0)
    const until = to === null ? untilOf(one, endings?.get(one.session) ?? []) : undefined
    return {
      session: one.session,
      turn: one.turn,
      bar: {
        use: one.use,
        name: one.name,
        kind: one.kind,
        subject: one.subject,
        subagent: one.subagent,
        from: one.began,
        to,
        ...(until === undefined ? {} : { until }),
        ok: one.ok === null ? null : one.ok === 1,
        verdict: verdictOf(one),
        before,
        after
      }
    }
  })
}
