/** The EventLog in a SQLite file, shared by every process of the installation. */
import { statSync } from "node:fs"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../events/Recorded.ts"
import { type Damage, describeDamage } from "../Damage.ts"
import { type Batch, EventLog, EventLogError, type EventLogShape, type Filter } from "../EventLog.ts"
import { makeFileGlance } from "../fileGlance.ts"
import { lookAgainMs } from "../lookAgain.ts"
import { readSealFile } from "../sealFile.ts"
import { follow, makeBell, type Page } from "../tail.ts"
import { anchored } from "./sqliteAnchor.ts"
import { endDamage } from "./sqliteEnd.ts"
import { asLogError, openSqlite, type SqliteOptions } from "./sqliteOpen.ts"
import { nothingKnown, readPage, single, values } from "./sqliteRead.ts"
import { redactRows } from "./sqliteRedact.ts"

export interface SqliteLogOptions extends SqliteOptions {
  /** How long a follower waits before it looks for what other processes appended. */
  readonly pollMs?: number
  /** The same where nothing came for minutes. Default: no longer. */
  readonly idlePollMs?: number
  /** Told what is skipped because it is not as it was recorded. Where nobody listens, reading fails. */
  readonly onDamage?: (damage: Damage) => void
}

const pageSize = 1000

/** So many looks in a row are left out because the file's times say that nothing was written: they tell nearly everything. */
const maxSkipped = 15

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

const make = Effect.fnUntraced(function* (options: SqliteLogOptions) {
  const { file, onDamage, pollMs = 100, idlePollMs = pollMs } = options
  const { reading, writing, append } = yield* openSqlite(options)
  const inode = inodeOf(file)
  const known = nothingKnown()
  const bell = makeBell()

  // No span of its own: that alone would cost more than a fact does.
  const appendMany = (batches: readonly Batch[]) => Effect.zipLeft(append(batches), bell.ring)

  const tell = (damage: readonly Damage[]): Effect.Effect<void, EventLogError> => {
    const [first] = damage
    if (first === undefined) return Effect.void
    if (onDamage === undefined)
      return Effect.fail(
        new EventLogError({
          op: "read",
          reason: "io",
          detail: `${file} is damaged: ${describeDamage(first)}. Run "hooktape log verify".`
        })
      )
    return Effect.sync(() => damage.forEach(onDamage))
  }

  const select = (filter: Filter, limit: number) =>
    reading((db) => readPage(db, known, filter, limit)).pipe(
      asLogError("read", file),
      Effect.tap(({ damage }) => tell(damage))
    )

  /** Once: that the end is gone is nothing that the rest could tell. */
  let endIsKnown = false
  const lookAtEnd = Effect.gen(function* () {
    if (endIsKnown) return
    endIsKnown = true
    const newest = yield* Effect.orElseSucceed(
      Effect.try(() => readSealFile(file)),
      () => undefined
    )
    const now = yield* Clock.currentTimeMillis
    const damage = yield* reading((db) => endDamage(db, newest === "damaged" ? undefined : newest, now)).pipe(
      asLogError("read", file)
    )
    yield* tell(damage)
  })

  const read = (filter: Filter = {}): Stream.Stream<Recorded, EventLogError> =>
    Stream.paginateChunkEffect(
      { filter, left: filter.limit ?? Number.POSITIVE_INFINITY },
      Effect.fnUntraced(function* ({ filter, left }) {
        yield* lookAtEnd
        if (left <= 0) return [Chunk.empty<Recorded>(), Option.none()] as const
        // A log is long: whoever has something else to do, or wants this to end, comes in between two pages.
        yield* Effect.yieldNow()
        const { end, facts, more } = yield* select(filter, Math.min(left, pageSize))
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
        const last = yield* reading((db) => single(db, "SELECT max(position) FROM recorded")).pipe(
          asLogError("read", file)
        )
        const upTo = Math.max(after, Number(last ?? 0))
        if (upTo === after) return { facts: [], upTo }
        const { end, facts, more } = yield* select(
          { ...filter, after, before: upTo + 1, reverse: false },
          pageSize
        )
        return { facts, upTo: more ? (end ?? upTo) : upTo }
      })

  const stats = reading((db) =>
    values(
      db,
      `SELECT count(*), (SELECT count(*) FROM streams), (SELECT count(*) FROM blobs), max(position),
        (SELECT (page_count - freelist_count) * page_size
          FROM pragma_page_count, pragma_freelist_count, pragma_page_size)
        FROM recorded`
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

  /** Without reading what is longer than a page. */
  const dataBytes =
    "coalesce(octet_length(recorded.data), (SELECT octet_length(data) FROM blobs WHERE hash = recorded.blob), 0)"

  const sizes = (prefix: string) =>
    reading((db) =>
      Effect.gen(function* () {
        const named = "SELECT id, name FROM streams WHERE substr(name, 1, ?) = ?"
        const inside = yield* values(
          db,
          `SELECT named.name, sum(${dataBytes}), max(occurred_at) FROM (${named}) AS named
            CROSS JOIN recorded ON recorded.stream = named.id GROUP BY named.id`,
          [prefix.length, prefix]
        )
        const [all] =
          inside.length === 0 ? [[0]] : yield* values(db, `SELECT sum(${dataBytes}) FROM recorded`)
        const found = inside.map(([stream, bytes, newest]) => ({
          stream: String(stream),
          bytes: Number(bytes),
          newest: Number(newest)
        }))
        const own = found.reduce((sum, { bytes }) => sum + bytes, 0)
        return { inside: found, outside: Math.max(0, Number(all?.[0] ?? 0) - own) }
      })
    ).pipe(asLogError("stats", file))

  const forget = Effect.fn("EventLog.forget")(function* (streams: readonly string[]) {
    return yield* writing(
      Effect.fnUntraced(function* (db) {
        const names = JSON.stringify(streams)
        const theirs =
          "FROM recorded WHERE stream IN (SELECT id FROM streams WHERE name IN (SELECT value FROM json_each(?)))"
        const positions = yield* values(db, `SELECT position ${theirs}`, [names])
        const gone = yield* anchored(
          db,
          file,
          positions.map(([position]) => position as number),
          yield* Clock.currentTimeMillis,
          values(db, `DELETE ${theirs} RETURNING marks, blob`, [names])
        )
        yield* db.executeRaw("DELETE FROM streams WHERE name IN (SELECT value FROM json_each(?))", [names])
        const unused = (table: string, key: string, column: string, given: readonly unknown[]) =>
          db.executeRaw(
            `DELETE FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?))
              AND NOT EXISTS (SELECT 1 FROM recorded WHERE recorded.${column} = ${table}.${key})`,
            [JSON.stringify([...new Set(given)])]
          )
        yield* unused(
          "marks",
          "id",
          "marks",
          gone.map(([marks]) => marks)
        )
        yield* unused(
          "blobs",
          "hash",
          "blob",
          gone.flatMap(([, hash]) => (hash === null ? [] : [hash]))
        )
        return gone.length
      })
    ).pipe(asLogError("truncate", file))
  })

  const redact = (text: string) =>
    writing((db) => redactRows(db, file, text)).pipe(asLogError("truncate", file))

  const log: EventLogShape = {
    append: (stream, expected, drafts) => appendMany([{ stream, expected, drafts }]),
    appendMany,
    has: (ids) =>
      reading((db) =>
        values(db, "SELECT id FROM recorded WHERE id IN (SELECT value FROM json_each(?))", [
          JSON.stringify(ids)
        ])
      ).pipe(
        Effect.map((rows) => new Set(rows.map(([id]) => id as string))),
        asLogError("read", file)
      ),
    read,
    follow: (after, filter = {}) => {
      const glance = makeFileGlance(file)
      const look = page(filter)
      const pause = (inVain: number, skipped = 0): Effect.Effect<void> =>
        Effect.flatMap(Effect.sleep(lookAgainMs(pollMs, idlePollMs, inVain)), () =>
          skipped < maxSkipped && glance.isSame() ? pause(inVain + 1, skipped + 1) : Effect.void
        )
      return follow(
        after,
        (from) => {
          glance.take()
          return look(from)
        },
        bell,
        pause
      )
    },
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
    isThere: () => inodeOf(file) === inode,
    stats,
    sizes,
    forget,
    redact
  }
  return log
})

/** The log in this file, made where there is none. Closed with the layer. */
export const layerSqlite = (options: SqliteLogOptions): Layer.Layer<EventLog, EventLogError> =>
  Layer.scoped(EventLog, make(options))
