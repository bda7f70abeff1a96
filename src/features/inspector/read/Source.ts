/** What the read model is asked of: the log's file, read only, with the timeline's tables in it. */
import type { Asked } from "../../../log/reader.ts"
import type { Condition } from "../../timeline/find.ts"

export interface Source {
  readonly db: Asked
  /** The state directory. */
  readonly state: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Of hooktape. */
  readonly version: string
}

/** A part of the log's answer, of one column or none. */
export const rows = <A>(
  { db }: Pick<Source, "db">,
  sql: string,
  ...values: readonly unknown[]
): readonly A[] => db.prepare(sql).all(...values) as readonly A[]

export const row = <A>(
  source: Pick<Source, "db">,
  sql: string,
  ...values: readonly unknown[]
): A | undefined => rows<A>(source, sql, ...values)[0]

/** A count; 0 where there is none. */
export const numberOf = (source: Pick<Source, "db">, sql: string, ...values: readonly unknown[]): number =>
  Number(row<{ readonly n: number | null }>(source, sql, ...values)?.n ?? 0)

/**
 * Only said where a session is asked for: with `? IS NULL OR session = ?` SQLite does not look into the index of sessions. Since some
 * time the index of times is the shorter way through a long session: the plus keeps SQLite on it.
 */
export const ofSession = (session: string | undefined, since = 0): Condition =>
  session === undefined
    ? { sql: "", values: [] }
    : { sql: since > 0 ? " AND +session = ?" : " AND session = ?", values: [session] }

/** What was asked for is not there. */
export class NotThere extends Error {
  override readonly name = "NotThere"
}

const most = 500
const usual = 200

export interface Paging {
  readonly upTo?: number
  readonly offset?: number
  readonly limit?: number
}

/** No log has more rows; far beyond, SQLite would count in floating point. */
const farthest = 1e12

/** Which rows of a list are wanted, within what is given at once. */
export const part = ({
  limit = usual,
  offset = 0
}: Paging): { readonly limit: number; readonly offset: number } => ({
  limit: Math.max(0, Math.min(most, Math.trunc(limit))),
  offset: Math.max(0, Math.min(farthest, Math.trunc(offset)))
})
