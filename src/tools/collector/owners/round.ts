/** One turn of an owner, in one transaction: facts behind the marks, through the folds, into the states, and the marks moved. */
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
export class Fenced extends Schema.TaggedError<Fenced>()("Fenced", {}) {}

interface FactRow {
  readonly installation: number
  /** Behind which mark it was found. */
  readonly after: string
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

type Found = Pick<Keyed, "row" | "fact">

const keyed = <S>(fold: KeyedFold<S>, { fact, row }: Found): Keyed => {
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
const fold = Effect.fn("collector.fold")(function* <S>(into: KeyedFold<S>, found: readonly Found[]) {
  const sql = yield* SqlClient.SqlClient
  const projection = markOf(into)
  const facts = found.map((one) => keyed(into, one))
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
  found: readonly Found[]
): Effect.Effect<readonly Refusal[], SqlError, SqlClient.SqlClient> => {
  const [first] = found
  if (first === undefined) return Effect.succeed([])
  return Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(fold(into, found))).pipe(
    Effect.catchIf(isOfContent, (error) => {
      if (found.length === 1) return Effect.succeed([refusal(first.row, reasonOf(error))])
      const half = Math.ceil(found.length / 2)
      return Effect.zipWith(
        foldAround(into, found.slice(0, half)),
        foldAround(into, found.slice(half)),
        (before, after) => [...before, ...after]
      )
    })
  )
}

/** Behind a mark, the facts that are looked at in a round: how many there are, and where the last one stands. */
interface Window {
  readonly installation: number
  readonly after: string
  readonly facts: number
  readonly last: string
}

/** Folds whose marks stand at one place read the same facts, which are read once for all of them. */
const placeOf = (installation: number, after: number | string): string => `${installation} ${after}`

const behind = (due: readonly Due[]): readonly Pick<Due, "installation" | "position">[] => [
  ...new Map(
    due.map(({ installation, position }) => [placeOf(installation, position), { installation, position }])
  ).values()
]

/** Where each mark goes: to the last fact that was looked at, or, where all were, to the head. */
const moves = (due: readonly Due[], windows: readonly Window[]) => {
  const seen = new Map(windows.map((one) => [placeOf(one.installation, one.after), one]))
  return due.map(({ head, installation, position, projection }) => {
    const { facts = 0, last = position } = seen.get(placeOf(installation, position)) ?? {}
    const after = facts < perInstallation ? Math.max(head, Number(last)) : Number(last)
    return { projection, installation, before: position, after }
  })
}

/** What a fold takes of the facts of a round. */
const partOf = (fold: KeyedFold<unknown>, due: readonly Due[], found: readonly Found[]): readonly Found[] => {
  const projection = markOf(fold)
  const places = new Set(
    due
      .filter((one) => one.projection === projection)
      .map(({ installation, position }) => placeOf(installation, position))
  )
  const types = new Set(fold.types)
  return found.filter(({ row }) => types.has(row.type) && places.has(placeOf(row.installation, row.after)))
}

/**
 * Each of the statements finds few rows by their keys. PostgreSQL knows neither how few, nor that the next round asks as it does: it would
 * compile each statement, which takes longer than to run it, and, once it has counted what a table holds, read days of facts from end to end
 * for a thousand of them.
 */
const planned = ["jit", "enable_seqscan", "enable_hashjoin", "enable_mergejoin"]
  .map((setting) => `SET LOCAL ${setting} = off`)
  .join("; ")

export interface Round {
  /** Of which something was done; none: there was nothing to do. */
  readonly installations: number
}

/** Installations that a projection has no mark for get one. */
export const beginMarks = Effect.fn("collector.beginMarks")(function* (folds: readonly Versioned[]) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO hooktape.mark (projection, installation, position)
    SELECT p.projection, i.id, 0
    FROM jsonb_array_elements_text(${JSON.stringify(folds.map(markOf))}::jsonb) AS p(projection)
    CROSS JOIN hooktape.installation i
    WHERE NOT EXISTS (SELECT FROM hooktape.mark m WHERE m.projection = p.projection AND m.installation = i.id)
    ON CONFLICT DO NOTHING`
})

/** What these folds make of the facts behind their marks, those that wait longest first. */
export const round = (folds: readonly KeyedFold<unknown>[], claim: Claim) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(planned)
    const due = yield* claim.due(folds.map(markOf), atOnce * folds.length)
    if (due.length === 0) return { installations: 0 } satisfies Round
    // A head is read before: whatever lies up to it is committed, and therefore seen now.
    const windows = yield* sql<Window>`SELECT d.installation, d.position AS after, w.facts, w.last
      FROM jsonb_to_recordset(${JSON.stringify(behind(due))}::jsonb) AS d(installation integer, position bigint)
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS facts, max(n.position) AS last FROM (
          SELECT f.position FROM hooktape.fact f
          WHERE f.installation = d.installation AND f.position > d.position
          ORDER BY f.position LIMIT ${perInstallation}
        ) n
      ) w WHERE w.facts > 0`
    // Only what means something to one of them, and no data that none of them looks at.
    const types = [...new Set(folds.flatMap((fold) => fold.types))]
    const read = [...new Set(folds.flatMap((fold) => fold.reads ?? fold.types))]
    const rows =
      yield* sql<FactRow>`SELECT f.installation, w.after, f.position, f.stream, f.type, f.agent, f.session,
        f.project, f.at, CASE WHEN f.type IN ${sql.in(read)} THEN f.data END AS data
      FROM jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) AS w(installation integer, after bigint, last bigint)
      CROSS JOIN LATERAL (
        SELECT * FROM hooktape.fact f
        WHERE f.installation = w.installation AND f.position > w.after AND f.position <= w.last
          AND f.type IN ${sql.in(types)}
      ) f ORDER BY f.installation, f.position`
    const found = rows.map((row): Found => ({ row, fact: placed(row) }))
    for (const one of folds) {
      const refused = yield* foldAround(one, partOf(one, due, found))
      if (refused.length > 0)
        yield* sql`INSERT INTO hooktape.refused (projection, installation, position, problem)
          SELECT ${markOf(one)}, r.installation, r.position, r.problem
          FROM jsonb_to_recordset(${JSON.stringify(refused)}::jsonb)
            AS r(installation integer, position bigint, problem text)
          ON CONFLICT DO NOTHING`
    }
    const moved = yield* sql`UPDATE hooktape.mark m SET position = n.after, moved = now()
      FROM jsonb_to_recordset(${JSON.stringify(moves(due, windows))}::jsonb)
        AS n(projection text, installation integer, before bigint, after bigint)
      WHERE m.projection = n.projection AND m.installation = n.installation AND m.position = n.before
      RETURNING 1`
    if (moved.length !== due.length) return yield* new Fenced()
    return { installations: new Set(due.map(({ installation }) => installation)).size } satisfies Round
  }).pipe((all) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(all)))
