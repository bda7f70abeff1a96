/** A collector as tests want it: a migrated database, login roles, a door on a port of its own. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { migrateDatabase, serveBatches, tokens } from "../../../src/tools/collector/collector.ts"
import type { Batch } from "../../../src/tools/shipping/Batch.ts"
import { type Postgres, startPostgres } from "./server.ts"

export interface Collector {
  readonly postgres: Postgres
  readonly url: string
  readonly token: (name: string, tenant?: string) => Promise<string>
  readonly revoke: (name: string, tenant?: string) => Promise<number>
  /** A batch as it is sent by nobody in particular. */
  readonly send: (token: string, batch: unknown) => Promise<Response>
  readonly close: () => Promise<void>
}

export const roles = { writer: "ingest", owner: "runner", reader: "analyst" } as const

/** What Prometheus proves with. */
export const metricsToken = "0123456789abcdef"

export const startCollector = async (
  limits: { readonly atOnce: number; readonly waiting: number } = { atOnce: 4, waiting: 32 },
  { isDurable = false }: { readonly isDurable?: boolean } = {}
): Promise<Collector> => {
  const postgres = startPostgres({ isDurable })
  const scope = await Effect.runPromise(Scope.make())
  try {
    const admin = Redacted.make(postgres.url())
    await Effect.runPromise(migrateDatabase(admin))
    for (const [kind, role] of Object.entries(roles))
      postgres.psql(`CREATE ROLE ${role} LOGIN; GRANT hooktape_${kind} TO ${role}`)
    const port = await Effect.runPromise(
      Effect.async<number, unknown>((resume) => {
        const serving = serveBatches(
          Redacted.make(postgres.url(roles.writer)),
          { host: "127.0.0.1", port: 0, ...limits, metricsToken, note: () => Effect.void },
          (port) => Effect.sync(() => resume(Effect.succeed(port)))
        )
        Effect.runFork(
          Effect.forkIn(
            Effect.catchAllCause(serving, (cause) => Effect.sync(() => resume(Effect.failCause(cause)))),
            scope
          )
        )
      })
    )
    const url = `http://127.0.0.1:${port}/v1/facts`
    return {
      postgres,
      url,
      token: (name, tenant = "default") => Effect.runPromise(tokens.add(admin, name, tenant)),
      revoke: (name, tenant = "default") => Effect.runPromise(tokens.revoke(admin, name, tenant)),
      send: (token, batch) =>
        fetch(url, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(batch)
        }),
      close: async () => {
        await Effect.runPromise(Scope.close(scope, Exit.void))
        postgres.remove()
      }
    }
  } catch (cause) {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    postgres.remove()
    throw cause
  }
}

/** When the fact of position 0 would have happened, milliseconds since 1970. */
export const epoch = 1_700_000_000_000

/** A fact as it is shipped. */
export const event = (position: number, more: Readonly<Record<string, unknown>> = {}) => ({
  specversion: "1.0",
  id: `fact-${position}`,
  source: "urn:hooktape:test",
  type: "hooktape.exited",
  subject: `invocation/${position}`,
  time: new Date(epoch + position).toISOString(),
  sequence: String(position).padStart(16, "0"),
  session: "s1",
  data: { code: 0, ms: { handling: 3 } },
  ...more
})

/** Facts at these positions, behind `after`. */
export const batchOf = (after: number, positions: readonly number[], more: Partial<Batch> = {}) => ({
  epoch: 1,
  after,
  afterId: after === 0 ? null : `fact-${after}`,
  upto: positions.at(-1) ?? after,
  facts: positions.map((position) => event(position)),
  ...more
})
