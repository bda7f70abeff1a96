/** All that `hooktape collect` does, behind one module: its pack is read by nothing else. */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { fleetHooks, fleetHookVersions, fleetProblems, fleetSessions } from "./ask.ts"
import { connect } from "./database/connect.ts"
import { migrate } from "./database/migrate.ts"
import { type ServeOptions, serve } from "./ingest/serve.ts"
import { lags, lagText } from "./lag.ts"
import { type OwnOptions, own, workers } from "./owners/own.ts"
import { skipLocked } from "./owners/skipLocked.ts"
import { addToken, listTokens, revokeTokens } from "./tokens.ts"

const single = { most: 1, statementMs: 60_000 }

export const migrateDatabase = (url: Redacted.Redacted) =>
  Effect.provide(migrate, connect(url, { ...single, name: "hooktape migrate" }))

const asAdministrator = (url: Redacted.Redacted) => connect(url, { ...single, name: "hooktape tokens" })

export const tokens = {
  add: (url: Redacted.Redacted, name: string, tenant: string) =>
    Effect.provide(addToken(name, tenant), asAdministrator(url)),
  list: (url: Redacted.Redacted) => Effect.provide(listTokens, asAdministrator(url)),
  revoke: (url: Redacted.Redacted, name: string, tenant: string) =>
    Effect.provide(revokeTokens(name, tenant), asAdministrator(url))
}

/** Calls `ready` with the port once it answers; ends when it is interrupted. */
export const serveBatches = (
  url: Redacted.Redacted,
  options: ServeOptions,
  ready: (port: number) => Effect.Effect<void>
) =>
  Effect.zipRight(Effect.flatMap(serve(options), ready), Effect.never).pipe(
    Effect.scoped,
    Effect.provide(connect(url, { most: options.atOnce + 1, statementMs: 10_000, name: "hooktape serve" }))
  )

/** Ends when it is interrupted. */
export const runFolds = (url: Redacted.Redacted, options: Omit<OwnOptions, "claim">) =>
  Effect.flatMap(skipLocked, (claim) => own({ ...options, claim })).pipe(
    Effect.provide(connect(url, { most: workers + 1, statementMs: 30_000, name: "hooktape run" }))
  )

export const lagOf = (url: Redacted.Redacted) =>
  Effect.provide(lags, connect(url, { ...single, name: "hooktape status" }))

export const lagTextOf = (url: Redacted.Redacted) => Effect.map(lagOf(url), lagText)

const asReader = (url: Redacted.Redacted) => connect(url, { ...single, name: "hooktape ask" })

export const ask = {
  hooks: (url: Redacted.Redacted, most: number) => Effect.provide(fleetHooks(most), asReader(url)),
  hookVersions: (url: Redacted.Redacted, most: number) =>
    Effect.provide(fleetHookVersions(most), asReader(url)),
  problems: (url: Redacted.Redacted, most: number) => Effect.provide(fleetProblems(most), asReader(url)),
  sessions: (url: Redacted.Redacted, most: number) => Effect.provide(fleetSessions(most), asReader(url))
}
