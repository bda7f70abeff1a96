/** What a fleet's states say, of the installations that the role which asks may read. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { chainStates } from "../../features/chains/chainStates.ts"
import { blockSums } from "../../features/sums/blockSum.ts"
import { hookSums } from "../../features/sums/hookSum.ts"
import { sessionSums } from "../../features/sums/sessionSum.ts"
import { markOf } from "../../log/projectionMark.ts"

/** A hook on all machines together. */
export interface FleetHook {
  readonly hook: string
  readonly installations: number
  readonly runs: number
  readonly failed: number
  readonly blocked: number
  /** Blocked tool calls that got past later, unchanged, in the same session: the block may have been wrong. */
  readonly lifted: number
  /** Of a run, milliseconds. */
  readonly meanMs: number
  readonly longestMs: number
}

/** The same of one version of the policy that brought it. */
export interface FleetHookVersion extends FleetHook {
  /** Null of a hook that no policy brought. */
  readonly from: string | null
  /** When it ran first and last anywhere, milliseconds since 1970. */
  readonly first: number
  readonly last: number
}

export interface FleetSession {
  readonly installation: string
  readonly session: string
  readonly agent: string | null
  /** Milliseconds since 1970. */
  readonly last: number
  readonly calls: number
  readonly blocked: number
  readonly failures: number
  readonly waitMs: number
}

/** Of each group of states of hooks. */
const hookFigures = (sql: SqlClient.SqlClient) =>
  sql.literal(`
  count(DISTINCT installation)::integer AS installations,
  sum(ended)::float8 AS runs, sum(failed)::float8 AS failed, sum((state->>'blocked')::float8) AS blocked,
  coalesce(sum((state->>'ms')::float8) / nullif(sum(ended), 0), 0) AS "meanMs",
  max((state->>'longestMs')::float8) AS "longestMs"`)

/** Blocks that were lifted, of each hook and version, or of each hook: summed up once for all that is asked about. */
const liftedBlocks = (sql: SqlClient.SqlClient, by: "hook" | "version") => sql`(
  SELECT c->>'hook' AS hook, ${by === "version" ? sql`c->>'from'` : sql`NULL::text`} AS from_,
    sum((c->>'lifted')::float8) AS lifted
  FROM hooktape.state b CROSS JOIN LATERAL jsonb_array_elements(b.state->'counts') c
  WHERE b.projection = ${markOf(blockSums)} GROUP BY 1, 2)`

const hookStates = (sql: SqlClient.SqlClient) => sql`hooktape.state s
  CROSS JOIN LATERAL (SELECT state->>'hook' AS hook, state->>'from' AS from_) h
  CROSS JOIN LATERAL (SELECT (state->>'failed')::bigint + (state->>'timedOut')::bigint AS failed) f
  CROSS JOIN LATERAL (SELECT (state->>'succeeded')::bigint + failed AS ended) e
  WHERE s.projection = ${markOf(hookSums)}`

/** Those that ran most first. */
export const fleetHooks = Effect.fn("collector.fleetHooks")(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<FleetHook>`SELECT h.*, coalesce(l.lifted, 0)::float8 AS lifted
    FROM (SELECT hook, ${hookFigures(sql)} FROM ${hookStates(sql)} GROUP BY hook
      ORDER BY runs DESC, hook LIMIT ${most}) h
    LEFT JOIN ${liftedBlocks(sql, "hook")} l ON l.hook = h.hook ORDER BY h.runs DESC, h.hook`
})

/** Hooks that ran most first, and of each its versions in the order in which they came: what a policy's next version changed. */
export const fleetHookVersions = Effect.fn("collector.fleetHookVersions")(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    FleetHookVersion & { readonly total: unknown }
  >`SELECT h.*, coalesce(l.lifted, 0)::float8 AS lifted
    FROM (SELECT hook, from_ AS "from", ${hookFigures(sql)},
        min((state->>'first')::float8) AS first, max((state->>'last')::float8) AS last,
        sum(sum(ended)) OVER (PARTITION BY hook) AS total
      FROM ${hookStates(sql)} GROUP BY hook, from_) h
    LEFT JOIN ${liftedBlocks(sql, "version")} l ON l.hook = h.hook AND l.from_ IS NOT DISTINCT FROM h."from"
    ORDER BY h.total DESC, h.hook, h.first, h."from" LIMIT ${most}`.pipe(
    Effect.map((rows) => rows.map(({ total: _, ...one }) => one))
  )
})

/** The newest first. What happened before a session was known is of none, and left out. */
export const fleetSessions = Effect.fn("collector.fleetSessions")(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<FleetSession>`SELECT i.name AS installation, s.key AS session, s.state->>'agent' AS agent,
      (s.state->>'last')::float8 AS last, (s.state->>'calls')::float8 AS calls,
      (s.state->>'blocked')::float8 AS blocked, (s.state->>'failures')::float8 AS failures,
      (s.state->>'waitMs')::float8 AS "waitMs"
    FROM hooktape.state s JOIN hooktape.installation i ON i.id = s.installation
    WHERE s.projection = ${markOf(sessionSums)} AND s.key <> ''
    ORDER BY last DESC, installation, session LIMIT ${most}`
})

/** A problem on all machines together, told by its signature. */
export interface FleetProblem {
  readonly signature: string
  readonly family: string
  /** Of a compiler, a linter or the system; null of any other, which is not shipped. */
  readonly code: string | null
  readonly installations: number
  /** A checkout on two machines counts twice: what it is called does not leave them. */
  readonly projects: number
  readonly chains: number
  /** Of the chains: those that are still followed, those that came to an end that is proved, and those whose fix is of grade A. */
  readonly open: number
  readonly resolved: number
  readonly gradeA: number
  /** From when it was first seen until it was gone, milliseconds, the median; null where it never was. */
  readonly medianMs: number | null
  /** When it last moved anywhere, milliseconds since 1970. */
  readonly last: number
}

/** Those that were met most first. */
export const fleetProblems = Effect.fn("collector.fleetProblems")(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<FleetProblem>`SELECT state->>'signature' AS signature,
      min(state->'problem'->>'family') AS family, min(state->'problem'->>'code') AS code,
      count(DISTINCT installation)::integer AS installations,
      count(DISTINCT (installation, state->>'project'))::integer AS projects,
      count(*)::integer AS chains,
      count(*) FILTER (WHERE state->>'state' IN ('open', 'attempted', 'cleared'))::integer AS open,
      count(*) FILTER (WHERE state->>'state' = 'resolved')::integer AS resolved,
      count(*) FILTER (WHERE state->'ending'->>'grade' = 'A' AND state->>'state' = 'resolved')::integer AS "gradeA",
      percentile_cont(0.5) WITHIN GROUP (ORDER BY (state->'ending'->>'ms')::float8)
        FILTER (WHERE state->>'state' = 'resolved') AS "medianMs",
      max((state->>'moved')::float8) AS last
    FROM hooktape.state WHERE projection = ${markOf(chainStates)}
    GROUP BY 1 ORDER BY chains DESC, last DESC, signature LIMIT ${most}`
})
