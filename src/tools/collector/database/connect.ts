/** A pool of connections to the collector's database, and where its address comes from: never with a password on a command line. */
import { readFileSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { messageOf } from "../../../state/messageOf.ts"
import { exposure } from "../../../state/secretFile.ts"
import {
  completeAddress,
  holdsPassword,
  isPostgres,
  isUnprotected,
  parseAddress,
  unprotected
} from "./address.ts"

export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  op: Schema.Literal("address", "tls", "connect", "migrate", "ask"),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

export interface AddressSources {
  /** From the command line, which every user of the machine can read. */
  readonly url: string | undefined
  readonly file: string | undefined
  readonly environment: string | undefined
}

const refused = (detail: string) => new DatabaseError({ op: "address", detail })

const inFile = (file: string) =>
  Effect.try({
    try: () => ({ text: readFileSync(file, "utf8").trim(), exposed: exposure(file) }),
    catch: (cause) => refused(`the file with the database's URL cannot be read: ${messageOf(cause)}`)
  })

/** The first that was given, in this order; no message repeats what it holds. */
export const databaseUrl = Effect.fn("collector.databaseUrl")(function* (sources: AddressSources) {
  const { environment, file, url } = sources
  const given =
    url === undefined && file !== undefined
      ? yield* inFile(file)
      : { text: url ?? environment, exposed: undefined }
  const { exposed, text } = given
  if (text === undefined || text === "") return yield* refused("no database was named")
  const parsed = parseAddress(text)
  if (parsed === undefined) return yield* refused("what names the database is no URL")
  if (!isPostgres(parsed)) return yield* refused("what names the database does not begin with postgresql://")
  if (url !== undefined && holdsPassword(parsed))
    return yield* refused("a password on a command line can be read by every user of the machine")
  if (exposed !== undefined && holdsPassword(parsed))
    return yield* refused(`the file with the database's URL, and a password, ${exposed}`)
  if (isUnprotected(text, process.env))
    return yield* new DatabaseError({ op: "tls", detail: unprotected.reason })
  return Redacted.make(text)
})

export interface PoolOptions {
  readonly most: number
  /** What no statement outlasts, milliseconds. */
  readonly statementMs: number
  readonly name: string
}

/** A frozen process must not keep what it has locked. */
const idleInTransactionMs = 10_000

const withTimeouts = (url: Redacted.Redacted, { statementMs }: PoolOptions): Redacted.Redacted => {
  const parsed = completeAddress(Redacted.value(url), { env: process.env })
  // It was read before.
  if (parsed === undefined) return url
  const preset = { statement_timeout: statementMs, idle_in_transaction_session_timeout: idleInTransactionMs }
  for (const [name, ms] of Object.entries(preset))
    if (!parsed.searchParams.has(name)) parsed.searchParams.set(name, String(ms))
  return Redacted.make(parsed.href)
}

/** Fails where nobody answers; later the pool connects again by itself. */
export const connect = (url: Redacted.Redacted, options: PoolOptions) =>
  PgClient.layer({
    url: withTimeouts(url, options),
    maxConnections: options.most,
    connectTimeout: "5 seconds",
    applicationName: options.name
  })

/** What PostgreSQL itself said, below what the library says. */
export const reasonOf = (error: unknown): string => {
  let at: unknown = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  return messageOf(at)
}

/** By what PostgreSQL calls the state of the statement (SQLSTATE). */
const hasState = (error: unknown, states: RegExp): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: unknown }
    if (typeof code === "string" && states.test(code)) return true
  }
  return false
}

/** Tables, functions or the schema are not there, or are not this role's. */
export const isMissing = (error: unknown): boolean => hasState(error, /^(?:42P01|42883|3F000|42501|42703)$/)

/** What was to be kept cannot be, however often it is tried: no value of its type, against a constraint, or beyond a limit. */
export const isOfContent = (error: unknown): boolean => hasState(error, /^(?:22|23|54)/)

/** Somebody held a lock for longer than was waited for it. */
export const isLocked = (error: unknown): boolean => hasState(error, /^55P03$/)
