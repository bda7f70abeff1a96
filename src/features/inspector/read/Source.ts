/** What the read model is asked of: the log's file, read only, with the timeline's tables in it. */
import type { Asked } from "../../../log/reader.ts"

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

/** Which rows of a list are wanted, within what is given at once. */
export const part = ({
  limit = usual,
  offset = 0
}: Paging): { readonly limit: number; readonly offset: number } => ({
  limit: Math.max(0, Math.min(most, Math.trunc(limit))),
  offset: Math.max(0, Math.trunc(offset))
})
