/** One turn of an owner, in one transaction: facts behind the marks, through the fold, into the states, and the marks moved. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { KeyedFold, PlacedFact } from "../../../log/KeyedFold.ts"
import { markOf, type Versioned } from "../../../log/projectionMark.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { isOfContent, reasonOf } from "../database/connect.ts"
import { storableText } from "../database/storableText.ts"
import type { Claim, Due } from "./Claim.ts"

/** Somebody else moved a mark meanwhile: all of the round is undone, and theirs holds. */
export class Fenced extends Schema.TaggedError<Fenced>()("Fenced", { projection: Schema.String }) {}

interface FactRow {
  readonly installation: number
  readonly position: string
  readonly stream: string
  readonly type: string
  readonly agent: string | null
  readonly session: string | null
  readonly project: string | null
  readonly at: string
  readonly data: unknown
}

interface StateRow {
  readonly installation: number
  readonly key: string
  readonly state: unknown
}

const atOnce = 8
const perInstallation = 1000
const longestProblem = 500

const placed = ({ agent, at, data, position, project, session, stream, type }: FactRow): PlacedFact => ({
  type,
  data,
  place: { position: Number(position), stream, at: Number(at), agent, project, session }
})

/** A fact that is passed by. */
interface Refusal {
  readonly installation: number
  readonly position: number
  readonly problem: string
}

interface Taken {
  readonly states: readonly StateRow[]
  readonly refused: readonly Refusal[]
}

const refusal = ({ installation, position }: FactRow, problem: string): Refusal => ({
  installation,
  position: Number(position),
  problem: storableText(problem, longestProblem)
})

const nameOf = (installation: number, key: string): string => `${installation} ${key}`

/** A fact with whose states it changes. */
interface Keyed {
  readonly row: FactRow
  readonly fact: PlacedFact
  /** Undefined where its fold cannot read it: that is found out where it is taken. */
  readonly keys: readonly string[] | undefined
}

const keyed = <S>(fold: KeyedFold<S>, row: FactRow): Keyed => {
  const fact = placed(row)
  try {
    return { row, fact, keys: fold.keysOf(fact) }
  } catch {
    return { row, fact, keys: undefined }
  }
}

/** Pure: the states after these facts. One that its fold cannot take is left out, and named. */
const takenInto = <S>(fold: KeyedFold<S>, facts: readonly Keyed[], known: readonly StateRow[]): Taken => {
  const before = new Map(known.map((row) => [nameOf(row.installation, row.key), row.state as S]))
  const after = new Map<string, StateRow & { readonly state: S }>()
  const refused: Refusal[] = []
  const take = ({ fact, keys = fold.keysOf(fact), row }: Keyed): void => {
    const { installation } = row
    // All of a fact, or nothing of it.
    const stepped: (readonly [string, StateRow & { readonly state: S }])[] = []
    for (const key of keys) {
      const name = nameOf(installation, key)
      const state = fold.step(after.get(name)?.state ?? before.get(name), fact, key)
      if (state !== undefined) stepped.push([name, { installation, key, state }])
    }
    for (const [name, state] of stepped) after.set(name, state)
  }
  for (const one of facts)
    try {
      take(one)
    } catch (cause) {
      refused.push(refusal(one.row, messageOf(cause)))
    }
  return { states: [...after.values()], refused }
}

const keysOf = (facts: readonly Keyed[]) => {
  const all = new Map<string, { readonly installation: number; readonly key: string }>()
  for (const { keys = [], row } of facts)
    for (const key of keys) {
      const name = nameOf(row.installation, key)
      if (!all.has(name)) all.set(name, { installation: row.installation, key })
    }
  return [...all.values()]
}

/** The states after these facts, written; the facts that were passed by. */
const fold = Effect.fn("collector.fold")(function* <S>(into: KeyedFold<S>, rows: readonly FactRow[]) {
  const sql = yield* SqlClient.SqlClient
  const projection = markOf(into)
  const facts = rows.map((row) => keyed(into, row))
  const known = yield* sql<StateRow>`SELECT s.installation, s.key, s.state
    FROM jsonb_to_recordset(${JSON.stringify(keysOf(facts))}::jsonb) AS k(installation integer, key text)
    JOIN hooktape.state s ON s.projection = ${projection} AND s.installation = k.installation AND s.key = k.key`
  const { refused, states } = takenInto(into, facts, known)
  if (states.length > 0)
    yield* sql`INSERT INTO hooktape.state (projection, installation, key, state)
      SELECT ${projection}, s.installation, s.key, s.state
      FROM jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS s(installation integer, key text, state jsonb)
      ON CONFLICT (projection, installation, key) DO UPDATE SET state = excluded.state`
  return refused
})

/**
 * The same, whatever is among them: where the database cannot keep what comes of all, of each half by itself, and in the end of all but
 * the culprit. A fact that stopped a round would stop it again, and with it every installation.
 */
const foldAround = <S>(
  into: KeyedFold<S>,
  rows: readonly FactRow[]
): Effect.Effect<readonly Refusal[], SqlError, SqlClient.SqlClient> => {
  const [first, ...others] = rows
  if (first === undefined) return Effect.succeed([])
  return Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(fold(into, rows))).pipe(
    Effect.catchIf(isOfContent, (error) => {
      if (others.length === 0) return Effect.succeed([refusal(first, reasonOf(error))])
      const half = Math.ceil(rows.length / 2)
      return Effect.zipWith(
        foldAround(into, rows.slice(0, half)),
        foldAround(into, rows.slice(half)),
        (before, after) => [...before, ...after]
      )
    })
  )
}

/** Of an installation, the facts that are looked at in a round: how many there are, and where the last one stands. */
interface Window {
  readonly installation: number
  readonly facts: number
  readonly last: string
}

/** Where each mark goes: to the last fact that was looked at, or, where all were, to the head. */
const moves = (due: readonly Due[], windows: readonly Window[]) =>
  due.map(({ head, installation, position }) => {
    const seen = windows.find((one) => one.installation === installation)
    const last = Number(seen?.last ?? position)
    return {
      installation,
      before: position,
      after: (seen?.facts ?? 0) < perInstallation ? Math.max(head, last) : last
    }
  })

export interface Round {
  /** Positions taken as done. */
  readonly facts: number
  readonly installations: number
}

/** Installations that this projection has no mark for get one. */
export const beginMarks = Effect.fn("collector.beginMarks")(function* (fold: Versioned) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO hooktape.mark (projection, installation, position)
    SELECT ${markOf(fold)}, i.id, 0 FROM hooktape.installation i
    WHERE NOT EXISTS (SELECT FROM hooktape.mark m WHERE m.projection = ${markOf(fold)} AND m.installation = i.id)
    ON CONFLICT DO NOTHING`
})

export const round = <S>(into: KeyedFold<S>, claim: Claim) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const projection = markOf(into)
    const due = yield* claim.due(projection, atOnce)
    if (due.length === 0) return { facts: 0, installations: 0 } satisfies Round
    // A head is read before: whatever lies up to it is committed, and therefore seen now.
    const windows = yield* sql<Window>`SELECT d.installation, w.facts, w.last
      FROM jsonb_to_recordset(${JSON.stringify(due)}::jsonb) AS d(installation integer, position bigint)
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS facts, max(n.position) AS last FROM (
          SELECT f.position FROM hooktape.fact f
          WHERE f.installation = d.installation AND f.position > d.position
          ORDER BY f.position LIMIT ${perInstallation}
        ) n
      ) w WHERE w.facts > 0`
    // Only what means something to this fold: most facts mean nothing to most.
    const ours =
      yield* sql<FactRow>`SELECT f.installation, f.position, f.stream, f.type, f.agent, f.session, f.project,
        f.at, ${into.reads === undefined ? sql`f.data` : sql`CASE WHEN f.type IN ${sql.in(into.reads)} THEN f.data END AS data`}
      FROM jsonb_to_recordset(${JSON.stringify(due)}::jsonb) AS d(installation integer, position bigint)
      JOIN jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) AS w(installation integer, last bigint)
        ON w.installation = d.installation
      CROSS JOIN LATERAL (
        SELECT * FROM hooktape.fact f
        WHERE f.installation = d.installation AND f.position > d.position AND f.position <= w.last
          AND f.type IN ${sql.in(into.types)}
      ) f ORDER BY f.installation, f.position`
    const refused = yield* foldAround(into, ours)
    if (refused.length > 0)
      yield* sql`INSERT INTO hooktape.refused (projection, installation, position, problem)
        SELECT ${projection}, r.installation, r.position, r.problem
        FROM jsonb_to_recordset(${JSON.stringify(refused)}::jsonb)
          AS r(installation integer, position bigint, problem text)
        ON CONFLICT DO NOTHING`
    const moved = yield* sql`UPDATE hooktape.mark m SET position = n.after, moved = now()
      FROM jsonb_to_recordset(${JSON.stringify(moves(due, windows))}::jsonb)
        AS n(installation integer, before bigint, after bigint)
      WHERE m.projection = ${projection} AND m.installation = n.installation AND m.position = n.before
      RETURNING 1`
    if (moved.length !== due.length) return yield* new Fenced({ projection })
    const facts = windows.reduce((sum, one) => sum + one.facts, 0)
    return { facts, installations: due.length } satisfies Round
  }).pipe((all) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(all)))
