/** Facts, as they are on the log: a part of the list, one with what led to it, those of a stream. */
import type { Recorded } from "../../../../events/Recorded.ts"
import { markOf } from "../../../log/projectionMark.ts"
import { decodeText } from "../../../log/validity.ts"
import { tell } from "../../timeline/factWords.ts"
import { timelineProjection } from "../../timeline/tables.ts"
import type { FactDetail, FactRow, Facts, FactsQuery } from "../contract/log.ts"
import { NotThere, numberOf, part, row, rows, type Source } from "./Source.ts"
import { shortened } from "./shortened.ts"

interface Row {
  readonly position: number
  readonly id: string
  readonly type: string
  readonly schema_version: number
  readonly stream: string
  readonly stream_version: number
  readonly occurred_at: number
  readonly recorded_at: number
  readonly causation_id: string | null
  readonly source: string
  readonly agent: string | null
  readonly agent_event: string | null
  readonly event: string | null
  readonly session: string | null
  readonly project: string | null
  readonly tool_use_id: string | null
  readonly data: string
}

const columns = `SELECT recorded.position, recorded.id, kinds.type, kinds.schema_version, streams.name AS stream, stream_version,
    occurred_at, recorded_at, causation_id, marks.source, marks.agent, marks.agent_event, marks.event, marks.session,
    marks.project, tool_use_id, coalesce(recorded.data, blobs.data) AS data
  FROM recorded
  JOIN kinds ON kinds.id = recorded.kind
  JOIN streams ON streams.id = recorded.stream
  JOIN marks ON marks.id = recorded.marks
  LEFT JOIN blobs ON blobs.hash = recorded.blob`

const recordedOf = (one: Row): Recorded => {
  const { data, known } = decodeText(one.type, one.schema_version, one.data)
  return {
    position: one.position,
    id: one.id as Recorded["id"],
    stream: one.stream,
    version: one.stream_version,
    source: one.source,
    type: one.type,
    schemaVersion: one.schema_version,
    at: one.occurred_at,
    recordedAt: one.recorded_at,
    cause: one.causation_id as Recorded["cause"],
    agent: one.agent,
    agentEvent: one.agent_event,
    event: one.event,
    session: one.session,
    project: one.project,
    toolUseId: one.tool_use_id,
    known,
    data
  }
}

/** All of one stream, in order. */
export const factsOf = (source: Pick<Source, "db">, stream: string): readonly Recorded[] =>
  rows<Row>(
    source,
    `${columns} WHERE recorded.stream = (SELECT id FROM streams WHERE name = ?) ORDER BY stream_version`,
    stream
  ).map(recordedOf)

/** Undefined where doctor never ran. */
export const lastDoctorRun = (source: Pick<Source, "db">): Recorded | undefined => {
  const found = row<Row>(
    source,
    `${columns} WHERE recorded.position = (SELECT position FROM timeline_doctor)`
  )
  return found && recordedOf(found)
}

const prefix = "invocation/"
export const invocationOf = (stream: string): string | null =>
  stream.startsWith(prefix) ? stream.slice(prefix.length) : null

export const factRow = (fact: Recorded): FactRow => ({
  position: fact.position,
  at: fact.at,
  stream: fact.stream,
  type: fact.type,
  known: fact.known,
  says: fact.known ? tell(fact.data as never).text : "unknown to this version",
  invocation: invocationOf(fact.stream),
  session: fact.session
})

/** Those that came after a position, in order. */
export const factsAfter = (
  source: Pick<Source, "db">,
  after: number,
  limit: number,
  session?: string
): readonly Recorded[] =>
  rows<Row>(
    source,
    `${columns} WHERE recorded.position > ? ${session === undefined ? "" : "AND marks.session = ?"} ORDER BY recorded.position LIMIT ?`,
    ...(session === undefined ? [after, limit] : [after, session, limit])
  ).map(recordedOf)

export const lastPosition = (source: Pick<Source, "db">): number =>
  numberOf(source, "SELECT max(position) AS n FROM recorded")

/** How much of the log the calls as they stand tell of: what is written while they are brought up to date is not in them yet. */
export const lastTold = (source: Pick<Source, "db">): number =>
  numberOf(source, "SELECT position AS n FROM checkpoints WHERE name = ?", markOf(timelineProjection))

const kinds: Readonly<Record<string, readonly string[]>> = {
  trouble: [
    "HANDLER_FAILED",
    "HANDLER_TIMED_OUT",
    "HANDLER_SKIPPED",
    "PAYLOAD_REJECTED",
    "DELIVERY_FAILED",
    "JOB_FAILED",
    "JOB_DIED",
    "BUILD_FAILED",
    "SPOOL_REJECTED",
    "CALLS_UNRECORDED",
    "HOST_UNREACHABLE",
    "CHECKPOINT_REFUSED"
  ],
  replies: ["REPLY_DELIVERED", "DELIVERY_FAILED"],
  services: ["SERVICE_CALLED"],
  jobs: [
    "JOB_ENQUEUED",
    "JOB_STARTED",
    "JOB_SUCCEEDED",
    "JOB_FAILED",
    "JOB_RELEASED",
    "JOB_DIED",
    "JOB_HELD",
    "JOB_DROPPED",
    "JOB_RETRIED"
  ],
  host: ["HOST_STARTED", "HOST_READY", "HOST_DRAINING", "HOST_STOPPED", "HOST_UNREACHABLE", "HOST_REACHED"]
}

/** By what has no index only so much of the newest is looked through. */
const lookedThrough = 100_000

interface Condition {
  readonly sql: string
  readonly values: readonly unknown[]
}

const conditionsOf = (query: typeof FactsQuery.Type, upTo: number): readonly Condition[] => {
  const types = [...(query.kind === undefined ? [] : (kinds[query.kind] ?? []))]
  const isSlow = types.length > 0 || query.type !== undefined || query.text !== undefined
  const hasIndex = query.stream !== undefined || query.session !== undefined
  return [
    { sql: "recorded.position <= ?", values: [upTo] },
    ...(isSlow && !hasIndex ? [{ sql: "recorded.position > ?", values: [upTo - lookedThrough] }] : []),
    ...(types.length === 0
      ? []
      : [
          {
            sql: `recorded.kind IN (SELECT id FROM kinds WHERE type IN (${types.map(() => "?").join(", ")}))`,
            values: types
          }
        ]),
    ...(query.type === undefined
      ? []
      : [
          {
            sql: "recorded.kind IN (SELECT id FROM kinds WHERE type = ?)",
            values: [query.type.toUpperCase()]
          }
        ]),
    ...(query.stream === undefined
      ? []
      : [{ sql: "recorded.stream = (SELECT id FROM streams WHERE name = ?)", values: [query.stream] }]),
    ...(query.session === undefined
      ? []
      : [{ sql: "recorded.marks IN (SELECT id FROM marks WHERE session = ?)", values: [query.session] }]),
    ...(query.text === undefined
      ? []
      : [{ sql: "instr(lower(recorded.data), ?) > 0", values: [query.text.toLowerCase()] }])
  ]
}

export const listFacts = (source: Source, query: typeof FactsQuery.Type): Facts => {
  const began = performance.now()
  const upTo = query.upTo ?? lastPosition(source)
  const { limit, offset } = part(query)
  const conditions = conditionsOf(query, upTo)
  const where = conditions.map(({ sql }) => sql).join(" AND ")
  const values = conditions.flatMap((one) => one.values)
  const isWhole = conditions.length === 1
  const total = numberOf(source, `SELECT count(*) AS n FROM recorded WHERE ${where}`, ...values)
  // Places first: what is left out need not be read.
  const positions = rows<{ readonly position: number }>(
    source,
    `SELECT position FROM recorded WHERE ${where} ORDER BY position DESC LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset
  ).map(({ position }) => position)
  const found = rows<Row>(
    source,
    `${columns} WHERE recorded.position IN (SELECT value FROM json_each(?)) ORDER BY recorded.position DESC`,
    JSON.stringify(positions)
  )
  return {
    total,
    upTo,
    offset,
    facts: found.map((one) => factRow(recordedOf(one))),
    all: isWhole ? total : numberOf(source, "SELECT count(*) AS n FROM recorded WHERE position <= ?", upTo),
    tookMs: Math.round((performance.now() - began) * 10) / 10
  }
}

const byId = (source: Source, id: string): Recorded | undefined => {
  const found = row<Row>(source, `${columns} WHERE recorded.id = ?`, id)
  return found && recordedOf(found)
}

const maxCauses = 20
const maxEffects = 50

export const factDetail = (source: Source, position: number): FactDetail => {
  const found = row<Row>(source, `${columns} WHERE recorded.position = ?`, position)
  if (found === undefined) throw new NotThere(`no fact stands at position ${position}`)
  const fact = recordedOf(found)
  const causes: FactRow[] = []
  let { cause } = fact
  while (cause !== null && causes.length < maxCauses) {
    const before = byId(source, cause)
    if (before === undefined) break
    causes.push(factRow(before))
    cause = before.cause
  }
  // Of its own stream, and of the jobs that were made with it: a cause stands before what it led to, and not far.
  const effects = rows<Row>(
    source,
    `${columns} WHERE recorded.position > ? AND recorded.position < ? AND causation_id = ? ORDER BY recorded.position LIMIT ?`,
    position,
    position + 10_000,
    fact.id,
    maxEffects
  )
  return {
    ...factRow(fact),
    recordedAt: fact.recordedAt,
    version: fact.version,
    source: fact.source,
    data: shortened(fact.data),
    causes,
    effects: effects.map((one) => factRow(recordedOf(one)))
  }
}
