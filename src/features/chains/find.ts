/** Asks the tables of chains, which may not be there yet. Whoever wants the newest brings them up to date before. */
import { markOf } from "../../log/projectionMark.ts"
import type { Asked } from "../../log/reader.ts"
import { anyOf } from "../search/terms.ts"
import type { Chain, Related } from "./Chain.ts"
import type { Remembered } from "./memoryStore.ts"
import { related } from "./relations.ts"
import type { SessionCalls } from "./SessionCalls.ts"
import type { Step } from "./Step.ts"
import type { Sought } from "./similar.ts"

export const chainsVersion = { name: "chains", version: 10 } as const

export interface ChainFilter {
  readonly id?: string | undefined
  readonly project?: string | undefined
  readonly session?: string | undefined
  readonly states?: readonly Chain["state"][] | undefined
}

interface Row {
  readonly chain: string
}

const chainsOf = (rows: readonly unknown[]): readonly Chain[] =>
  (rows as readonly Row[]).map(({ chain }) => JSON.parse(chain) as Chain)

const fits = `(? IS NULL OR chains.id = ?) AND (? IS NULL OR project = ?) AND (? IS NULL OR session = ?)
  AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))`

const valuesOf = ({ id, project, session, states }: ChainFilter): readonly unknown[] => {
  const of = states === undefined ? null : JSON.stringify(states)
  return [id, id, project, project, session, session, of, of].map((value) => value ?? null)
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
export const listChains = (db: Asked, filter: ChainFilter, limit: number, offset = 0): readonly Chain[] =>
  chainsOf(
    db
      .prepare(`SELECT chain FROM chains WHERE ${fits} ORDER BY opened DESC, row DESC LIMIT ? OFFSET ?`)
      .all(...valuesOf(filter), limit, offset)
  )

/** How many there are in each state. */
export const countChains = (db: Asked, filter: ChainFilter): Readonly<Record<string, number>> =>
  Object.fromEntries(
    (
      db
        .prepare(`SELECT state, count(*) AS many FROM chains WHERE ${fits} GROUP BY state ORDER BY state`)
        .all(...valuesOf(filter)) as readonly { readonly state: string; readonly many: number }[]
    ).map(({ many, state }) => [state, many])
  )

/** How each stands to those that were opened before it, in whatever project. */
export const relatedIn = (db: Asked, chains: readonly Chain[]): readonly Related[] => {
  const newest = (by: "signature" | "pattern") => {
    const statement = db.prepare(
      `SELECT chain FROM chains WHERE ${by} = ? AND (opened < ? OR (opened = ? AND (length(id) < length(?) OR (length(id) = length(?) AND id < ?))))
        ORDER BY opened DESC, length(id) DESC, id DESC LIMIT 1`
    )
    return (chain: Chain): Chain | undefined => {
      const { id, opened } = chain
      return chainsOf(statement.all(chain[by], opened, opened, id, id, id))[0]
    }
  }
  const [same, alike] = [newest("signature"), newest("pattern")]
  return chains.map((chain) => related(chain, same(chain), alike(chain)))
}

/** More of one sort do not change what is found best. */
const maxCandidates = 100

/** Of these signatures, whatever their project, newest first. */
export const chainsSigned = (db: Asked, signatures: readonly string[]): readonly Chain[] =>
  chainsOf(
    db
      .prepare(
        "SELECT chain FROM chains WHERE signature IN (SELECT value FROM json_each(?)) ORDER BY opened DESC, row DESC LIMIT ?"
      )
      .all(JSON.stringify(signatures), maxCandidates)
  )

const isWithin = ({ project }: Chain, filter: ChainFilter): boolean =>
  filter.project === undefined || filter.project === project

/** What is under way in a session, and what was done there since its oldest open problem. */
export const rememberedIn = (db: Asked, scopes: readonly string[]): Pick<Remembered, "calls" | "steps"> => {
  const of = JSON.stringify(scopes)
  const calls = db
    .prepare("SELECT scope, calls AS text FROM chain_calls WHERE scope IN (SELECT value FROM json_each(?))")
    .all(of) as readonly Kept[]
  const steps = db
    .prepare(
      "SELECT scope, step AS text FROM chain_steps WHERE scope IN (SELECT value FROM json_each(?)) ORDER BY n"
    )
    .all(of) as readonly Kept[]
  return {
    calls: new Map(calls.map(({ scope, text }) => [scope, JSON.parse(text) as SessionCalls])),
    steps: new Map(
      scopes.map((scope) => [
        scope,
        steps.filter((one) => one.scope === scope).map(({ text }) => JSON.parse(text) as Step)
      ])
    )
  }
}

interface Kept {
  readonly scope: string
  readonly text: string
}

/** Whatever may be like it: of the same signature, or with words in common. */
export const candidateChains = (db: Asked, sought: Sought, filter: ChainFilter): readonly Chain[] => {
  const expression = anyOf(sought.message)
  const alike =
    expression === undefined
      ? []
      : db
          .prepare(
            `SELECT chain FROM chains_text JOIN chains ON chains.row = chains_text.rowid
              WHERE chains_text MATCH ? AND ${fits} ORDER BY bm25(chains_text), opened DESC LIMIT ?`
          )
          .all(expression, ...valuesOf(filter), maxCandidates)
  const found = new Map(
    [
      ...chainsSigned(db, sought.signatures).filter((chain) => isWithin(chain, filter)),
      ...chainsOf(alike)
    ].map((chain) => [chain.id, chain])
  )
  return [...found.values()]
}
