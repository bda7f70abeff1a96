/** The EventLog in a SQLite file, shared by every process of the installation. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../events/Recorded.ts"
import { type Admitted, admit, type Row, toRecorded } from "./admit.ts"
import { type Batch, EventLog, EventLogError, type EventLogShape, type Filter } from "./EventLog.ts"
import { asLogError, openSqlite, type SqliteOptions } from "./sqliteOpen.ts"
import {
  blobHash,
  blobOf,
  insertFacts,
  isLong,
  packed,
  packedBlob,
  parameters,
  type Stored,
  selected,
  toRow,
  unpack,
  where
} from "./sqliteRows.ts"
import { follow, makeBell, type Page } from "./tail.ts"

export interface SqliteLogOptions extends SqliteOptions {
  /** Random id of this installation. */
  readonly source: string
  /** How long a follower waits before it looks for what other processes appended. */
  readonly pollMs?: number
}

const pageSize = 1000
/** A page ends early rather than hold many large facts at once. */
const pageBytes = 16_000_000

const values = (
  db: Connection,
  sql: string,
  params: readonly unknown[]
): Effect.Effect<readonly Stored[], SqlError> => db.executeValues(sql, params)

const single = (db: Connection, sql: string, params: readonly unknown[] = []) =>
  Effect.map(values(db, sql, params), ([row]) => row?.[0])

const blobText = (db: Connection, hash: string) =>
  Effect.map(single(db, "SELECT data FROM blobs WHERE hash = ?", [hash]), String)

const insert = Effect.fnUntraced(function* (db: Connection, rows: readonly Row[]) {
  let at = 0
  // Few sizes of statement, so that each is prepared once.
  for (const size of [100, 10, 1]) {
    for (; rows.length - at >= size; at += size) {
      const params: unknown[] = []
      for (const row of rows.slice(at, at + size)) {
        const blob = isLong(row.text) ? blobHash(row.text) : null
        if (blob !== null) yield* db.executeRaw("INSERT OR IGNORE INTO blobs VALUES (?, ?)", [blob, row.text])
        for (const value of parameters(row, blob)) params.push(value)
      }
      yield* db.executeRaw(insertFacts(size), params)
    }
  }
})

const appendIn = Effect.fnUntraced(function* (
  db: Connection,
  batches: readonly Batch[],
  source: string,
  now: number
) {
  const ids = JSON.stringify(batches.flatMap(({ drafts }) => drafts.map(({ id }) => id)))
  const streams = JSON.stringify([...new Set(batches.map(({ stream }) => stream))])
  const found = yield* values(
    db,
    `SELECT ${selected} FROM facts WHERE id IN (SELECT value FROM json_each(?))`,
    [ids]
  )
  const there = new Map<string, Row>()
  for (const stored of found) {
    const hash = blobOf(stored)
    const row = hash === null ? toRow(stored) : toRow(stored, yield* blobText(db, hash))
    there.set(row.id, row)
  }
  const heads = yield* values(
    db,
    "SELECT value, (SELECT max(stream_version) FROM facts WHERE stream = value) FROM json_each(?)",
    [streams]
  )
  const versions = new Map(
    heads.map(([stream, version]) => [stream as string, (version as number | null) ?? 0])
  )
  const last = (yield* single(db, "SELECT seq FROM sqlite_sequence WHERE name = 'facts'")) as
    | number
    | undefined
  const admitted = yield* Effect.try({
    try: (): Admitted | EventLogError =>
      admit(batches, {
        version: (stream) => versions.get(stream) ?? 0,
        byId: (id) => there.get(id),
        last: last ?? 0,
        source,
        now
      }),
    catch: (cause) =>
      new EventLogError({ op: "append", reason: "invalid", detail: "a fact is no JSON", cause })
  })
  if (admitted instanceof EventLogError) return yield* admitted
  yield* insert(db, admitted.rows)
  return admitted.recorded
})

const columnByColumn = (db: Connection, position: unknown, blob: string | undefined) =>
  Effect.map(values(db, `SELECT ${selected} FROM facts WHERE position = ?`, [position]), ([row]) =>
    toRecorded(toRow(row as Stored, blob))
  )

const decodePage = Effect.fnUntraced(function* (db: Connection, stored: readonly Stored[]) {
  const facts: Recorded[] = []
  let bytes = 0
  for (const row of stored) {
    const hash = packedBlob(row)
    const text = hash === null ? undefined : yield* blobText(db, hash)
    facts.push(unpack(row, text) ?? (yield* columnByColumn(db, row[0], text)))
    bytes += text?.length ?? 0
    if (bytes > pageBytes) break
  }
  return facts
})

const make = Effect.fnUntraced(function* (options: SqliteLogOptions) {
  const { file, source, pollMs = 100 } = options
  const { reading, writing } = yield* openSqlite(options)
  const bell = makeBell()

  const appendMany = Effect.fn("EventLog.appendMany")(function* (batches: readonly Batch[]) {
    const now = yield* Clock.currentTimeMillis
    const recorded = yield* writing((db) => appendIn(db, batches, source, now)).pipe(
      asLogError("append", file)
    )
    yield* bell.ring
    return recorded
  })

  const select = (filter: Filter, limit: number) => {
    const { sql, values: params } = where(filter)
    const order = filter.reverse === true ? "DESC" : "ASC"
    return reading((db) =>
      Effect.flatMap(
        values(db, `SELECT ${packed} FROM facts ${sql} ORDER BY position ${order} LIMIT ?`, [
          ...params,
          limit
        ]),
        (stored) =>
          Effect.map(decodePage(db, stored), (facts) => ({
            facts,
            more: stored.length === limit || facts.length < stored.length
          }))
      )
    ).pipe(asLogError("read", file))
  }

  const read = (filter: Filter = {}): Stream.Stream<Recorded, EventLogError> =>
    Stream.paginateChunkEffect(
      { filter, left: filter.limit ?? Number.POSITIVE_INFINITY },
      Effect.fnUntraced(function* ({ filter, left }) {
        if (left <= 0) return [Chunk.empty<Recorded>(), Option.none()] as const
        const { facts, more } = yield* select(filter, Math.min(left, pageSize))
        const end = facts.at(-1)?.position
        const next =
          !more || end === undefined
            ? Option.none()
            : Option.some({
                filter: filter.reverse === true ? { ...filter, before: end } : { ...filter, after: end },
                left: left - facts.length
              })
        return [Chunk.unsafeFromArray(facts), next] as const
      })
    )

  const page =
    (filter: Filter) =>
    (after: number): Effect.Effect<Page, EventLogError> =>
      Effect.gen(function* () {
        const last = yield* reading((db) => single(db, "SELECT max(position) FROM facts")).pipe(
          asLogError("read", file)
        )
        const upTo = Math.max(after, Number(last ?? 0))
        if (upTo === after) return { facts: [], upTo }
        const { facts, more } = yield* select(
          { ...filter, after, before: upTo + 1, reverse: false },
          pageSize
        )
        return { facts, upTo: more ? (facts.at(-1)?.position ?? upTo) : upTo }
      })

  const stats = reading((db) =>
    values(
      db,
      `SELECT count(*), count(DISTINCT stream), (SELECT count(*) FROM blobs), max(position),
        (SELECT (page_count - freelist_count) * page_size
          FROM pragma_page_count, pragma_freelist_count, pragma_page_size)
        FROM facts`,
      []
    )
  ).pipe(
    Effect.map(([row]) => ({
      facts: Number(row?.[0]),
      streams: Number(row?.[1]),
      blobs: Number(row?.[2]),
      last: Number(row?.[3] ?? 0),
      bytes: Number(row?.[4])
    })),
    asLogError("stats", file)
  )

  const forget = Effect.fn("EventLog.forget")(function* (streams: readonly string[]) {
    return yield* writing(
      Effect.fnUntraced(function* (db) {
        const gone = yield* values(
          db,
          "DELETE FROM facts WHERE stream IN (SELECT value FROM json_each(?)) RETURNING blob",
          [JSON.stringify(streams)]
        )
        const hashes = [...new Set(gone.flatMap(([hash]) => (hash === null ? [] : [hash])))]
        if (hashes.length > 0)
          yield* db.executeRaw(
            "DELETE FROM blobs WHERE hash IN (SELECT value FROM json_each(?)) AND hash NOT IN (SELECT blob FROM facts WHERE blob IS NOT NULL)",
            [JSON.stringify(hashes)]
          )
        return gone.length
      })
    ).pipe(asLogError("truncate", file))
  })

  const log: EventLogShape = {
    append: (stream, expected, drafts) => appendMany([{ stream, expected, drafts }]),
    appendMany,
    read,
    follow: (after, filter = {}) => follow(after, page(filter), bell, Effect.sleep(pollMs)),
    checkpoint: (name) =>
      reading((db) => single(db, "SELECT position FROM checkpoints WHERE name = ?", [name])).pipe(
        Effect.map((position) => Number(position ?? 0)),
        asLogError("checkpoint", file)
      ),
    setCheckpoint: (name, position) =>
      writing((db) =>
        db.executeRaw(
          "INSERT INTO checkpoints VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position",
          [name, position]
        )
      ).pipe(Effect.asVoid, asLogError("checkpoint", file)),
    stats,
    forget
  }
  return log
})

/** The log in this file, made where there is none. Closed with the layer. */
export const layerSqlite = (options: SqliteLogOptions): Layer.Layer<EventLog, EventLogError> =>
  Layer.scoped(EventLog, make(options))
