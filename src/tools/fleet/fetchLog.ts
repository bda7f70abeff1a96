/** Brings what is new in a collector's database into a log on this machine, which every command reads as it reads its own. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { FactId } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { EventLog, EventLogError } from "../../log/EventLog.ts"
import { byStream } from "../../log/spool/ingest.ts"
import { layerSqlite } from "../../log/sqlite/SqliteLog.ts"
import { isFileDamage } from "../../log/sqlite/sqliteErrors.ts"
import { redactDraft } from "../../redact/redact.ts"
import { installationId, openState, privateDirectory } from "../../state/state.ts"
import { connect } from "../collector/database/connect.ts"
import { wholeTypes } from "../shipping/whole.ts"
import { eventOf, restored, type ShippedRow } from "./restored.ts"

export interface FetchOptions {
  readonly url: Redacted.Redacted
  /** Where it is kept; made where it is not there. */
  readonly directory: string
  /** Milliseconds since 1970: of an installation that is new here nothing older is fetched; of the others all that is new. */
  readonly since: number
  /** The newest so many at once. */
  readonly most: number
}

export interface Fetched {
  /** How many that are new were left out, because they are more than may be fetched at once. */
  readonly left: number
}

interface Head {
  readonly id: number
  readonly name: string
  readonly head: number
  /** When it was first heard of there: of a database that was made anew the same number is another one's. */
  readonly began: number
}

/** A copy that outgrows this is begun anew: it holds nothing that the collector does not. */
const mostBytes = 1_000_000_000
const atOnce = 500
const mark = ({ began, id }: Pick<Head, "began" | "id">): string => `fleet/${id}/${began}`

const draftOf = (row: ShippedRow) =>
  redactDraft(
    makeDraft(restored(row), {
      id: row.id as FactId,
      stream: row.stream,
      at: row.at,
      cause: row.cause as FactId | null,
      marks: {
        agent: row.agent,
        agentEvent: row.agent_event,
        event: row.type === "INVOCATION_OPENED" ? null : eventOf(row),
        session: row.session,
        project: row.project,
        toolUseId: row.tool_use_id
      }
    })
  )

/** What is known of how far each is here already. */
const marksOf = (heads: readonly Head[]) =>
  Effect.flatMap(EventLog, (log) => Effect.forEach(heads, (head) => log.checkpoint(mark(head))))

/** As it happened, as far as the machines' clocks agree; what one machine sent stays in its order. */
const newRows = Effect.fnUntraced(function* (
  heads: readonly Head[],
  marks: readonly number[],
  { most, since }: FetchOptions
) {
  const sql = yield* SqlClient.SqlClient
  const known = heads.map(({ head, id }, nth) => ({ id, head, mark: marks[nth] ?? 0 }))
  const wanted = sql`FROM hooktape.fact f
    JOIN jsonb_to_recordset(${JSON.stringify(known)}::jsonb) m(id integer, head bigint, mark bigint)
      ON f.installation = m.id AND f.position > m.mark AND f.position <= m.head
    WHERE (m.mark > 0 OR f.day >= (to_timestamp(${since} / 1000.0) AT TIME ZONE 'UTC')::date AND f.at >= ${since})
      AND f.type IN ${sql.in(wholeTypes)}`
  const [counted] = yield* sql<{ readonly facts: number }>`SELECT count(*)::integer AS facts ${wanted}`
  const rows = sql<ShippedRow & { readonly installation: number }>`
    SELECT n.installation, n.id, n.stream, n.type, n.agent, n.agent_event, n.session, n.project, n.tool_use_id,
      n.cause, n.at::float8 AS at, n.data,
      max(n.at) OVER (PARTITION BY n.installation ORDER BY n.position) AS reached
    FROM (SELECT f.* ${wanted} ORDER BY f.at DESC, f.position DESC LIMIT ${most}) n
    ORDER BY reached, n.installation, n.position`
  return { left: Math.max(0, (counted?.facts ?? 0) - most), rows: rows.stream }
})

const fetchInto = Effect.fn("fleet.fetchInto")(function* (options: FetchOptions) {
  const sql = yield* SqlClient.SqlClient
  const log = yield* EventLog
  const heads = yield* sql<Head>`SELECT id, name, head::float8 AS head,
      floor(extract(epoch FROM began) * 1000)::float8 AS began
    FROM hooktape.installation ORDER BY id`
  const marks = yield* marksOf(heads)
  const names = new Map(heads.map(({ id, name }) => [id, name]))
  const { left, rows } = yield* newRows(heads, marks, options)
  yield* rows.pipe(
    Stream.map((row) => draftOf({ ...row, machine: names.get(row.installation) ?? "" })),
    Stream.grouped(atOnce),
    Stream.runForEach((drafts) => log.appendMany(byStream(Chunk.toReadonlyArray(drafts))))
  )
  for (const [nth, head] of heads.entries())
    if (head.head !== marks[nth]) yield* log.setCheckpoint(mark(head), head.head)
  return { left } satisfies Fetched
})

const stampOf = (directory: string): string => join(directory, "fetched")

/** When it was last brought up to date, milliseconds since 1970; undefined where it never was. */
export const fetchedAt = (directory: string): number | undefined => {
  try {
    return Number(readFileSync(stampOf(directory), "utf8")) || undefined
  } catch {
    return undefined
  }
}

const fileOf = (directory: string): string => join(directory, "log.sqlite")

/** What is new, into a copy that somebody may be reading. */
export const fetchMore = Effect.fn("fleet.fetchMore")(function* (options: FetchOptions) {
  const { directory, url } = options
  yield* Effect.try(() => {
    privateDirectory(join(directory, ".."))
    openState(directory)
  })
  const log = layerSqlite({ file: fileOf(directory), source: installationId(directory) })
  const pool = connect(url, { most: 2, statementMs: 60_000, name: "hooktape --log" })
  const fetched = yield* fetchInto(options).pipe(Effect.provide(log), Effect.provide(pool))
  const now = yield* Clock.currentTimeMillis
  yield* Effect.try(() => writeFileSync(stampOf(directory), String(now), { mode: 0o600 }))
  return fetched
})

/** Made by another version, or damaged: nothing that another process or a full disk is the reason of. */
const isSpoilt = (error: unknown): boolean =>
  error instanceof EventLogError &&
  (error.reason === "unsupported" || error.reason === "conflict" || isFileDamage(error))

const isLarge = (file: string): boolean => existsSync(file) && statSync(file).size > mostBytes

/** A copy that cannot be gone on with, or is too large, holds nothing that is not fetched again. */
export const fetchLog = (options: FetchOptions) => {
  const { directory } = options
  const beginAnew = Effect.try(() => rmSync(directory, { recursive: true, force: true }))
  return Effect.suspend(() => (isLarge(fileOf(directory)) ? beginAnew : Effect.void)).pipe(
    Effect.zipRight(fetchMore(options)),
    Effect.catchIf(isSpoilt, () => Effect.zipRight(beginAnew, fetchMore(options)))
  )
}
