/** Facts, as they are on the log: a part of the list, one with what led to it, those of a stream. */
import { invocationOf } from "../../../../events/invocationOf.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { markOf } from "../../../log/projectionMark.ts"
import { factOf, namesOf, type RowWithTexts, selectWithTexts } from "../../../log/sqlite/decodeRow.ts"
import { decodeText } from "../../../log/validity.ts"
import { tell } from "../../timeline/factWords.ts"
import { timelineProjection } from "../../timeline/tables.ts"
import type { FactDetail, FactRow, Facts, FactsQuery } from "../contract/log.ts"
import { NotThere, numberOf, part, rows, type Source } from "./Source.ts"
import { shortened } from "./shortened.ts"

/** None where the file is damaged. A row comes as an object whose members stand in the order of the columns. */
const recordedOf = (one: object): readonly Recorded[] => {
  const row = Object.values(one) as unknown as RowWithTexts
  const names = namesOf(row)
  if (names === undefined) return []
  const { kind, marks, stream } = names
  return [factOf(row, stream, kind, marks, decodeText(kind.type, kind.schemaVersion, String(row[10])))]
}

/** `where`: all that follows the tables. */
const factsWhere = (
  source: Pick<Source, "db">,
  where: string,
  ...values: readonly unknown[]
): readonly Recorded[] => rows<object>(source, `${selectWithTexts} ${where}`, ...values).flatMap(recordedOf)

/** All of one stream, in order. */
export const factsOf = (source: Pick<Source, "db">, stream: string): readonly Recorded[] =>
  factsWhere(
    source,
    "WHERE recorded.stream = (SELECT id FROM streams WHERE name = ?) ORDER BY stream_version",
    stream
  )

/** Undefined where doctor never ran. */
export const lastDoctorRun = (source: Pick<Source, "db">): Recorded | undefined =>
  factsWhere(source, "WHERE recorded.position = (SELECT position FROM timeline_doctor)")[0]

export const factRow = (fact: Recorded): FactRow => ({
  position: fact.position,
  at: fact.at,
  stream: fact.stream,
  type: fact.type,
  known: fact.known,
  says: fact.known ? tell(fact.data as never).text : "unknown to this version",
  invocation: invocationOf(fact),
  session: fact.session
})

/** Those that came after a position, in order. */
export const factsAfter = (
  source: Pick<Source, "db">,
  after: number,
  limit: number,
  session?: string
): readonly Recorded[] =>
  factsWhere(
    source,
    `WHERE recorded.position > ? ${session === undefined ? "" : "AND marks.session = ?"} ORDER BY recorded.position LIMIT ?`,
    ...(session === undefined ? [after, limit] : [after, session, limit])
  )

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
  const found = factsWhere(
    source,
    "WHERE recorded.position IN (SELECT value FROM json_each(?)) ORDER BY recorded.position DESC",
    JSON.stringify(positions)
  )
  return {
    total,
    upTo,
    offset,
    facts: found.map(factRow),
    all: isWhole ? total : numberOf(source, "SELECT count(*) AS n FROM recorded WHERE position <= ?", upTo),
    tookMs: Math.round((performance.now() - began) * 10) / 10
  }
}

const byId = (source: Source, id: string): Recorded | undefined =>
  factsWhere(source, "WHERE recorded.id = ?", id)[0]

const maxCauses = 20
const maxEffects = 50

export const factDetail = (source: Source, position: number): FactDetail => {
  const [fact] = factsWhere(source, "WHERE recorded.position = ?", position)
  if (fact === undefined) throw new NotThere(`no fact stands at position ${position}`)
  const causes: FactRow[] = []
  let { cause } = fact
  while (cause !== null && causes.length < maxCauses) {
    const before = byId(source, cause)
    if (before === undefined) break
    causes.push(factRow(before))
    cause = before.cause
  }
  // Of its own stream, and of the jobs that were made with it: a cause stands before what it led to, and not far.
  const effects = factsWhere(
    source,
    "WHERE recorded.position > ? AND recorded.position < ? AND causation_id = ? ORDER BY recorded.position LIMIT ?",
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
    effects: effects.map(factRow)
  }
}
