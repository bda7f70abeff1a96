/**
 * The log of one installation, as far as it was shipped: the reading half of an EventLog over a collector's PostgreSQL. Positions are the machine's own,
 * with holes where nothing was shipped; those of two machines mean nothing to each other.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { FactId } from "../../../events/ids.ts"
import { invocationStream } from "../../../events/invocationOf.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { schemaVersion } from "../../../events/schemaVersion.ts"
import { EventLogError, type EventLogShape, type Filter } from "../../log/EventLog.ts"
import { matches } from "../../log/matches.ts"
import { follow, makeBell } from "../../log/tail.ts"
import { decodeFact } from "../../log/validity.ts"
import { reasonOf } from "../collector/database/connect.ts"
import { eventOf, restored, type ShippedRow } from "./restored.ts"

export interface Installation {
  /** The epoch's number in the database. */
  readonly id: number
  readonly name: string
}

type Row = ShippedRow & {
  readonly position: number
  readonly version: number
  /** When it came in, milliseconds since 1970. */
  readonly received: number
}

const perPage = 500

const recorded = (row: Row): Recorded => {
  const { type, ...fact } = restored(row)
  return {
    position: row.position,
    id: row.id as FactId,
    source: row.machine,
    stream: row.stream,
    version: row.version,
    type,
    schemaVersion,
    at: row.at,
    recordedAt: row.received,
    cause: row.cause as FactId | null,
    agent: row.agent,
    agentEvent: row.agent_event,
    event: row.agent_event === null || type === "INVOCATION_OPENED" ? null : eventOf(row),
    session: row.session,
    project: row.project,
    toolUseId: row.tool_use_id,
    ...decodeFact(type, schemaVersion, { type, ...fact })
  }
}

const failed = (op: EventLogError["op"]) => (cause: SqlError) =>
  new EventLogError({ op, reason: "io", detail: `the collector cannot be asked: ${reasonOf(cause)}`, cause })

export type InstallationLog = Pick<EventLogShape, "has" | "read" | "follow" | "stats">

export const installationLog = ({ id, name }: Installation, pollMs = 500) =>
  Effect.map(SqlClient.SqlClient, (sql): InstallationLog => {
    const conditions = (filter: Filter) =>
      sql.and([
        sql`f.installation = ${id}`,
        ...(filter.after === undefined ? [] : [sql`f.position > ${filter.after}`]),
        ...(filter.before === undefined ? [] : [sql`f.position < ${filter.before}`]),
        ...(filter.stream === undefined ? [] : [sql`f.stream = ${filter.stream}`]),
        ...(filter.streamPrefix === undefined ? [] : [sql`starts_with(f.stream, ${filter.streamPrefix})`]),
        // What its jobs did is not shipped.
        ...(filter.invocation === undefined ? [] : [sql`f.stream = ${invocationStream(filter.invocation)}`]),
        ...(filter.types === undefined
          ? []
          : [
              sql`f.type = ANY(ARRAY(
          SELECT jsonb_array_elements_text(${JSON.stringify(filter.types)}::jsonb)))`
            ]),
        ...(filter.session === undefined ? [] : [sql`f.session = ${filter.session}`]),
        ...(filter.agent === undefined ? [] : [sql`f.agent = ${filter.agent}`]),
        ...(filter.project === undefined ? [] : [sql`f.project = ${filter.project}`]),
        ...(filter.since === undefined ? [] : [sql`f.at >= ${filter.since}`])
      ])
    /** What the database does not decide, such as what an agent's event is called everywhere, is decided of each. */
    const page = (filter: Filter) =>
      sql<Row>`SELECT f.id, f.stream, f.type, f.agent, f.agent_event, f.session, f.project, f.tool_use_id, f.cause,
          f.at::float8 AS at, f.data, f.position::float8 AS position, ${name}::text AS machine,
          extract(epoch FROM coalesce(f.received, now())) * 1000 AS received,
          (SELECT count(*)::integer FROM hooktape.fact g
            WHERE g.installation = f.installation AND g.stream = f.stream AND g.position <= f.position) AS version
        FROM hooktape.fact f WHERE ${conditions(filter)}
        ORDER BY f.position ${sql.literal(filter.reverse === true ? "DESC" : "ASC")} LIMIT ${perPage}`.pipe(
        Effect.mapError(failed("read"))
      )
    const read = (filter: Filter = {}): Stream.Stream<Recorded, EventLogError> => {
      const { limit, reverse = false } = filter
      const pages = Stream.unfoldChunkEffect<Filter | undefined, Recorded, EventLogError, never>(
        filter,
        (from) =>
          from === undefined
            ? Effect.succeed(Option.none())
            : Effect.map(page(from), (rows) => {
                const last = rows.at(-1)?.position
                const isLast = rows.length < perPage || last === undefined
                const next = isLast ? undefined : { ...from, [reverse ? "before" : "after"]: last }
                const facts = rows.map(recorded).filter((fact) => matches(filter, fact))
                return Option.some([Chunk.unsafeFromArray(facts), next] as const)
              })
      )
      return limit === undefined ? pages : Stream.take(pages, limit)
    }
    const headOf = sql<{ readonly head: number }>`SELECT head::float8 AS head FROM hooktape.installation
      WHERE id = ${id}`.pipe(
      Effect.map(([row]) => row?.head ?? 0),
      Effect.mapError(failed("read"))
    )
    return {
      read,
      // A head is read before: whatever lies up to it is committed, and therefore seen now.
      follow: (after, filter = {}) =>
        follow(
          after,
          (from) =>
            Effect.gen(function* () {
              const head = yield* headOf
              const before = Math.max(head, from) + 1
              const facts = yield* Stream.runCollect(read({ ...filter, after: from, before }))
              return { facts: Chunk.toReadonlyArray(facts), upTo: before - 1 }
            }),
          makeBell(),
          () => Effect.sleep(Duration.millis(pollMs))
        ),
      has: (ids) =>
        sql<{ readonly id: string }>`SELECT f.id FROM hooktape.fact f
            JOIN jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) wanted(id) ON wanted.id = f.id
          WHERE f.installation = ${id}`.pipe(
          Effect.map((rows) => new Set(rows.map((row) => row.id))),
          Effect.mapError(failed("read"))
        ),
      stats: sql<{ readonly facts: number; readonly streams: number }>`SELECT count(*)::integer AS facts,
          count(DISTINCT stream)::integer AS streams FROM hooktape.fact WHERE installation = ${id}`.pipe(
        Effect.mapError(failed("stats")),
        Effect.zipWith(headOf, ([row], last) => ({
          facts: row?.facts ?? 0,
          streams: row?.streams ?? 0,
          blobs: 0,
          last,
          bytes: 0
        }))
      )
    }
  })
