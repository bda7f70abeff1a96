/** One session: its turns and tools, whoever told of them; its checks, chains and tokens. */

import { markOf } from "../../../log/projectionMark.ts"
import { chainsMark } from "../../chains/find.ts"
import { checkpointsIn, checkpointTypes } from "../../checkpoints/Checkpoint.ts"
import { metricsVersion } from "../../metrics/version.ts"
import { findObservedRows, observedRef } from "../../timeline/findObserved.ts"
import type { SessionDetail, SessionTool, Turn } from "../contract/session.ts"
import { chainsOfSession } from "./chains.ts"
import { factsOf } from "./facts.ts"
import { evidenceOf } from "./metrics.ts"
import { NotThere, row, rows, type Source } from "./Source.ts"
import { sessionCalled } from "./sessions.ts"
import { toolBars } from "./tools.ts"

const turnsOf = (source: Source, session: string): readonly Turn[] =>
  rows<Omit<Turn, "givenUp"> & { readonly given_up: string | null }>(
    source,
    `SELECT turn, prompt, began, last, calls,
      (SELECT count(*) FROM timeline_tools AS tools WHERE tools.session = turns.session AND tools.turn = turns.turn) AS tools,
      (SELECT json_object('by', hook, 'reason', error, 'invocation', calls.invocation)
        FROM timeline_calls AS calls JOIN timeline_jobs AS jobs ON jobs.invocation = calls.invocation AND jobs.state = 'dead'
        WHERE calls.session = turns.session AND calls.turn = turns.turn AND tool_use IS NULL AND own = 0
        ORDER BY jobs.position, job LIMIT 1) AS given_up,
      (SELECT coalesce(sum(wait), 0) FROM timeline_calls AS calls WHERE calls.session = turns.session AND calls.turn = turns.turn)
        AS waitedMs
    FROM timeline_turns AS turns WHERE session = ? ORDER BY began`,
    session
  ).map(({ given_up, ...turn }) => (given_up === null ? turn : { ...turn, givenUp: JSON.parse(given_up) }))

/** Prompts that only the transcript tells of begin turns as well. */
const observedTurns = (source: Source, session: string): readonly Turn[] =>
  findObservedRows(source.db, { session, event: "prompt.submit" }).map(({ at, position, subject }) => ({
    turn: observedRef(position),
    prompt: subject,
    began: at,
    last: at,
    calls: 0,
    tools: 0,
    waitedMs: 0
  }))

const maxTools = 2000

type Placed = Omit<SessionTool, "chains">

/** A tool call that names no turn that is known belongs to the one under way when it began. */
const placedIn = (turns: readonly Turn[], tool: Placed): Placed => {
  if (turns.some(({ turn }) => turn === tool.turn) || tool.source === undefined) return tool
  return { ...tool, turn: turns.findLast(({ began }) => began <= tool.from)?.turn ?? null }
}

/** A turn goes on until the last of its tools ended. */
const withTools = (turns: readonly Turn[], tools: readonly Placed[]): readonly Turn[] =>
  turns.map((turn) => {
    const own = tools.filter((tool) => tool.turn === turn.turn)
    return {
      ...turn,
      tools: Math.max(turn.tools, own.length),
      last: own.reduce((last, { from, to }) => Math.max(last, to ?? from), turn.last)
    }
  })

const toolsOf = (source: Source, session: string): readonly Placed[] =>
  toolBars(source, { session, limit: maxTools }).map(({ bar, turn }) => ({
    ...bar,
    turn,
    waitedMs: [...bar.before, ...bar.after].reduce((sum, { waitMs }) => sum + (waitMs ?? 0), 0)
  }))

const hasMetrics = (source: Source): boolean =>
  row(source, "SELECT 1 FROM checkpoints WHERE name = ?", markOf(metricsVersion)) !== undefined

const checkpointsOf = (source: Source, session: string): SessionDetail["checkpoints"] => {
  const streams = rows<{ readonly name: string }>(
    source,
    `SELECT DISTINCT streams.name FROM recorded JOIN streams ON streams.id = recorded.stream
      WHERE recorded.marks IN (SELECT id FROM marks WHERE session = ?)
        AND recorded.kind IN (SELECT id FROM kinds WHERE type IN (${checkpointTypes.map(() => "?").join(", ")}))`,
    session,
    ...checkpointTypes
  )
  return checkpointsIn(streams.flatMap(({ name }) => factsOf(source, name))).map(
    ({ at, checkpoint, components, quality, trigger }) => ({
      checkpoint,
      at: Date.parse(at),
      quality,
      trigger,
      reasons: components.map(({ name, reason }) => `${name}: ${reason}`)
    })
  )
}

/** Of the time between prompts and ends of turns. */
const shareOf = (waitedMs: number, turns: readonly Turn[]): number | null => {
  const busy = turns.reduce((sum, { began, last }) => sum + (last - began), 0)
  return busy > 0 ? Math.min(1, waitedMs / busy) : null
}

/** What chains and the outputs of checks tell is there where their tables are: whoever wants the newest brings them up to date before. */
export const sessionDetail = (source: Source, session: string): SessionDetail => {
  const found = sessionCalled(source, session)
  if (found === undefined) throw new NotThere(`no session is called ${session}`)
  const begun = [...turnsOf(source, session), ...observedTurns(source, session)].sort(
    (a, b) => a.began - b.began
  )
  const placed = toolsOf(source, session).map((tool) => placedIn(begun, tool))
  const turns = withTools(begun, placed)
  const evidence = hasMetrics(source) ? evidenceOf(source, session) : undefined
  const chains = chainsMark(source.db) === undefined ? undefined : chainsOfSession(source, session)
  const tools = placed.map((tool): SessionTool => {
    const parts = chains?.parts.get(tool.use)
    const isRead = evidence?.ended.has(tool.use) === true
    return {
      ...tool,
      verdict: isRead ? (evidence.verdicts.get(tool.use) ?? null) : tool.verdict,
      ...(parts === undefined ? {} : { chains: parts })
    }
  })
  const countOf = (wanted: string): number => tools.filter(({ verdict }) => verdict === wanted).length
  return {
    session: { ...found, tools: Math.max(found.tools, tools.length), turns: turns.length },
    waitedShare: found.source === undefined ? shareOf(found.waitedMs, turns) : null,
    checks: { green: countOf("green"), red: countOf("red"), unknown: countOf("unknown") },
    turns,
    tools,
    omitted: Math.max(0, found.tools - tools.length),
    subagents: rows(
      source,
      `SELECT subagent, min(at) AS began, max(last_at) AS last, count(*) AS calls FROM timeline_calls
        WHERE session = ? AND subagent IS NOT NULL GROUP BY subagent ORDER BY began`,
      session
    ),
    checkpoints: checkpointsOf(source, session),
    hooks: rows(
      source,
      `SELECT hook, count(*) AS runs, coalesce(sum(runs.decision IS 'block'), 0) AS blocked,
          coalesce(sum(runs.outcome IN ('failed', 'timed-out')), 0) AS failed, coalesce(sum(ms), 0) AS ms,
          coalesce(max(ms), 0) AS slowestMs
        FROM timeline_calls AS calls JOIN timeline_runs AS runs ON runs.call = calls.position
        WHERE calls.session = ? AND runs.outcome <> 'skipped' GROUP BY hook ORDER BY ms DESC`,
      session
    ),
    ...(chains === undefined ? {} : { chains: chains.chains }),
    ...(evidence?.tokens === undefined ? {} : { tokens: evidence.tokens })
  }
}
