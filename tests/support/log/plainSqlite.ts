/** The database without us, to look at a log's file from outside. Its package has no types. */
import { createRequire } from "node:module"

export interface PlainSqlite {
  readonly pragma: (text: string, options?: { readonly simple: boolean }) => unknown
  readonly prepare: (sql: string) => {
    readonly get: () => unknown
    readonly all: (...values: readonly unknown[]) => unknown[]
    readonly run: (...values: readonly unknown[]) => unknown
  }
  readonly exec: (sql: string) => void
  readonly close: () => void
}

const Sqlite = createRequire(import.meta.url)("better-sqlite3") as new (
  file: string,
  options?: { readonly readonly: boolean }
) => PlainSqlite

export const openPlainly = (file: string, options?: { readonly readonly: boolean }): PlainSqlite =>
  new Sqlite(file, options)
