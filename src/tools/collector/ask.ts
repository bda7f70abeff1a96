/** What a fleet's states say, of the installations that the role which asks may read. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
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

const hookStates = (sql: SqlClient.SqlClient) => sql`hooktape.state s
  CROSS JOIN LATERAL (SELECT state->>'hook' AS hook, state->>'from' AS from_) h
  CROSS JOIN LATERAL (SELECT (state->>'failed')::bigint + (state->>'timedOut')::bigint AS failed) f
  CROSS JOIN LATERAL (SELECT (state->>'succeeded')::bigint + failed AS ended) e
  WHERE s.projection = ${markOf(hookSums)}`

/** Those that ran most first. */
export const fleetHooks = Effect.fn("collector.fleetHooks")(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<FleetHook>`SELECT hook, ${hookFigures(sql)}
    FROM ${hookStates(sql)} GROUP BY hook ORDER BY runs DESC, hook LIMIT ${most}`
})

/** Hooks that ran most first, and of each its versions in the order in which they came: what a policy's next version changed. */
export const fleetHookVersions = Effect.fn("collector.fleetHookVersions")(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<FleetHookVersion>`SELECT hook, from_ AS "from", ${hookFigures(sql)},
      min((state->>'first')::float8) AS first, max((state->>'last')::float8) AS last
    FROM ${hookStates(sql)} GROUP BY hook, from_
    ORDER BY sum(sum(ended)) OVER (PARTITION BY hook) DESC, hook, first, from_ LIMIT ${most}`
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
