/** Facts as a fold looks at them: not by the decoder of rows, as a fold goes over every fact of a log, asks for a few columns of it and for no sum. */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../events/facts.ts"
import type { FactPlace } from "./projection.ts"
import { decodeText } from "./validity.ts"

export interface PlacedAs {
  readonly fact: Fact
  readonly place: FactPlace
}

type Kind = readonly [type: string, schemaVersion: number]
type Marks = readonly [agent: string | null, project: string | null, session: string | null]
type Row = readonly [
  position: number,
  kind: number,
  stream: number,
  at: number,
  marks: number,
  data: string | null
]

const columns = "position, kind, stream, occurred_at, marks, data"

/** Of facts with a short text: a payload may be large, and is read when its turn has come. */
const atOnce = 64

export const ofTypes = (types: readonly string[]): string =>
  `kind IN (SELECT id FROM kinds WHERE type IN (${types.map((type) => `'${type}'`).join(", ")}))`

/** What many facts have in common, asked for once. */
const remembered = <A>(ask: (id: number) => A): ((id: number) => A) => {
  const known = new Map<number, A>()
  return (id) => {
    const before = known.get(id)
    if (before !== undefined) return before
    const found = ask(id)
    known.set(id, found)
    return found
  }
}

/** Within one transaction. */
const makeRead = (db: Database): ((row: Row) => PlacedAs | undefined) => {
  const kinds = db.prepare<[number], Kind>("SELECT type, schema_version FROM kinds WHERE id = ?").raw()
  const marks = db.prepare<[number], Marks>("SELECT agent, project, session FROM marks WHERE id = ?").raw()
  const streams = db.prepare<[number], string>("SELECT name FROM streams WHERE id = ?").pluck()
  const blobs = db
    .prepare<[number], string>(
      "SELECT blobs.data FROM recorded JOIN blobs ON blobs.hash = recorded.blob WHERE position = ?"
    )
    .pluck()
  const kindOf = remembered((id) => kinds.get(id))
  const marksOf = remembered((id) => marks.get(id))
  const nameOf = remembered((id) => streams.get(id))
  return ([position, kindId, streamId, at, marksId, inline]) => {
    const kind = kindOf(kindId)
    const whose = marksOf(marksId)
    const stream = nameOf(streamId)
    const text = inline ?? blobs.get(position)
    if (kind === undefined || whose === undefined || stream === undefined || text === undefined)
      return undefined
    const { data, known } = decodeText(kind[0], kind[1], text)
    const [agent, project, session] = whose
    return known
      ? { fact: data as Fact, place: { position, stream, at, agent, project, session } }
      : undefined
  }
}

/** By their position, for a fold that has to look at one again. */
export const factReader = (db: Database): ((position: number) => PlacedAs | undefined) => {
  const one = db.prepare<[number], Row>(`SELECT ${columns} FROM recorded WHERE position = ?`).raw()
  const read = makeRead(db)
  return (position) => {
    const row = one.get(position)
    return row && read(row)
  }
}

/** Those of these types behind `from`, up to `upTo`, one after the other. */
export const eachFact = (
  db: Database,
  types: readonly string[],
  [from, upTo]: readonly [number, number],
  take: (fact: Fact, place: FactPlace) => void
): void => {
  const some = db
    .prepare<[number, number], Row>(
      `SELECT ${columns} FROM recorded
        WHERE position > ? AND position <= ? AND ${ofTypes(types)} ORDER BY position LIMIT ${atOnce}`
    )
    .raw()
  const read = makeRead(db)
  let rows: readonly Row[]
  for (let after = from; ; after = rows.at(-1)?.[0] ?? upTo) {
    rows = some.all(after, upTo)
    for (const row of rows) {
      const found = read(row)
      if (found !== undefined) take(found.fact, found.place)
    }
    if (rows.length < atOnce) return
  }
}
