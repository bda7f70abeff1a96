/** Asks the tables of chains, which may not be there yet. Whoever wants the newest brings them up to date before. */
import { markOf } from "../../log/projectionMark.ts"
import type { Asked } from "../../log/reader.ts"
import { anyOf } from "../search/terms.ts"
import type { Chain } from "./Chain.ts"
import type { Sought } from "./similar.ts"

export const chainsVersion = { name: "chains", version: 3 } as const

export interface ChainFilter {
  readonly project?: string | undefined
  readonly session?: string | undefined
  readonly states?: readonly Chain["state"][] | undefined
}

interface Row {
  readonly chain: string
}

const chainsOf = (rows: readonly unknown[]): readonly Chain[] =>
  (rows as readonly Row[]).map(({ chain }) => JSON.parse(chain) as Chain)

const fits = `(? IS NULL OR project = ?) AND (? IS NULL OR session = ?)
  AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))`

const valuesOf = ({ project, session, states }: ChainFilter): readonly unknown[] => {
  const of = states === undefined ? null : JSON.stringify(states)
  return [project, project, session, session, of, of].map((value) => value ?? null)
}

/** How far the tables are, undefined where there are none of this version. */
export const chainsMark = (db: Asked): number | undefined => {
  const [row] = db
    .prepare("SELECT position FROM checkpoints WHERE name = ?")
    .all(markOf(chainsVersion)) as readonly {
    readonly position: number
  }[]
  return row?.position
}

/** Newest first. */
export const listChains = (db: Asked, filter: ChainFilter, limit: number): readonly Chain[] =>
  chainsOf(
    db
      .prepare(`SELECT chain FROM chains WHERE ${fits} ORDER BY position DESC LIMIT ?`)
      .all(...valuesOf(filter), limit)
  )

/** More of one sort do not change what is found best. */
const maxCandidates = 100

/** Something helped against it. */
const isFixed =
  "EXISTS (SELECT 1 FROM json_each(chain, '$.attempts') WHERE json_extract(value, '$.helped') = 1)"

const same = (db: Asked, { signature }: Sought, filter: ChainFilter, and: string): readonly unknown[] =>
  db
    .prepare(`SELECT chain FROM chains WHERE signature = ? AND ${fits} ${and} ORDER BY position DESC LIMIT ?`)
    .all(signature, ...valuesOf(filter), maxCandidates)

/** Of the same signature, with a fix. */
export const fixedChains = (db: Asked, sought: Sought, project: string): readonly Chain[] =>
  chainsOf(same(db, sought, { project, states: ["resolved"] }, `AND ${isFixed}`))

/** Whatever may be like it: of the same signature, or with words in common. */
export const candidateChains = (db: Asked, sought: Sought, filter: ChainFilter): readonly Chain[] => {
  const expression = anyOf(sought.signature)
  const alike =
    expression === undefined
      ? []
      : db
          .prepare(
            `SELECT chain FROM chains_text JOIN chains ON chains.row = chains_text.rowid
              WHERE chains_text MATCH ? AND ${fits} ORDER BY bm25(chains_text), position DESC LIMIT ?`
          )
          .all(expression, ...valuesOf(filter), maxCandidates)
  const found = new Map(
    chainsOf([...same(db, sought, filter, ""), ...alike]).map((chain) => [chain.id, chain])
  )
  return [...found.values()]
}
