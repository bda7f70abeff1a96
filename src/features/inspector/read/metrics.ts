/** Figures of work with agents, and what the checks and the transcript of one session tell. */
import { coverageOf, measuresOf, type Scope } from "../../metrics/compute.ts"
import { findCheckpoints, findHookCalls, findSessions } from "../../metrics/find.ts"
import { type Gathered, groupedBy, whole } from "../../metrics/groupBy.ts"
import { traceOf } from "../../metrics/trace.ts"
import { usageOf } from "../../metrics/usageFigures.ts"
import type { ToolBar } from "../contract/live.ts"
import type { Metrics, MetricsQuery } from "../contract/metrics.ts"
import type { SessionDetail } from "../contract/session.ts"
import { rows, type Source } from "./Source.ts"

/** As many as a small chart shows. */
const maxSessions = 24

/** Those of the machine that serves, which is the reader's own. Git is asked by the command, in the project's folder. */
const surroundings = { hourOf: (at: number): number => new Date(at).getHours() }

const distinct = (source: Source, column: "agent" | "project"): readonly string[] =>
  rows<{ readonly name: string }>(
    source,
    `SELECT DISTINCT ${column} AS name FROM metrics_moments WHERE ${column} IS NOT NULL ORDER BY name`
  ).map(({ name }) => name)

const beganOf = ({ traces }: Scope): number => Math.min(...traces.map(({ from }) => from))

const newestSessions = (gathered: Gathered): Metrics["bySession"] =>
  groupedBy(gathered, "session", String)
    .map((scope) => ({ scope, began: beganOf(scope) }))
    .sort((a, b) => a.began - b.began)
    .slice(-maxSessions)
    .map(({ began, scope }) => ({
      session: scope.name,
      began,
      values: Object.fromEntries(measuresOf(scope, surroundings).map(({ id, value }) => [id, value]))
    }))

export const metrics = (source: Source, query: typeof MetricsQuery.Type): Metrics => {
  const { agent, from: since, project, session, to: until } = query
  const asked = { agent, project, session, since, until }
  const gathered: Gathered = {
    sessions: findSessions(source.db, asked),
    hooks: findHookCalls(source.db, asked),
    checkpoints: findCheckpoints(source.db, asked)
  }
  const scope = whole(gathered)
  const { traces } = scope
  return {
    from: traces.length === 0 ? null : beganOf(scope),
    to: traces.length === 0 ? null : Math.max(...traces.map(({ to }) => to)),
    sessions: traces.length,
    coverage: coverageOf(traces),
    metrics: measuresOf(scope, surroundings),
    projects: distinct(source, "project"),
    agents: distinct(source, "agent"),
    bySession: newestSessions(gathered)
  }
}

export interface Evidence {
  /** Calls whose end is known. */
  readonly ended: ReadonlySet<string>
  /** By the agent's id of a call that checked something. */
  readonly verdicts: ReadonlyMap<string, NonNullable<ToolBar["verdict"]>>
  readonly tokens: SessionDetail["tokens"]
}

const colours = { pass: "green", fail: "red", unknown: "unknown" } as const

/** What was read out of the outputs of one session's checks, and the tokens that its transcript tells. */
export const evidenceOf = (source: Source, session: string): Evidence => {
  const traces = findSessions(source.db, { session }).map(traceOf)
  const verdicts = new Map(
    traces.flatMap(({ calls }) =>
      calls.flatMap(({ ended, use }) =>
        ended === undefined || (ended.checks ?? []).length === 0
          ? []
          : [[use, colours[ended.verdict]] as const]
      )
    )
  )
  const used = usageOf(traces)
  const sum = (of: (one: (typeof used)[number]) => number): number =>
    used.reduce((all, one) => all + of(one), 0)
  const ended = new Set(
    traces.flatMap(({ calls }) => calls.filter((call) => call.ended !== undefined).map(({ use }) => use))
  )
  return {
    ended,
    verdicts,
    tokens:
      used.length === 0
        ? undefined
        : {
            input: sum(({ cacheCreation, input }) => input + cacheCreation),
            output: sum(({ output }) => output),
            cached: sum(({ cacheRead }) => cacheRead),
            model: used.at(-1)?.model ?? null
          }
  }
}
