/** Which database the collector's commands speak to, and what they say where it does not answer. */
import * as Effect from "effect/Effect"
import { unprotected } from "../../../tools/collector/database/address.ts"
import { CliError } from "../CliError.ts"
import { text } from "../syntax/parameters.ts"

/** Nothing else needs it: a laptop never reads it. */
export const loaded = Effect.promise(() => import("../../../tools/collector/collector.ts"))

export interface DatabaseOptions {
  readonly databaseUrl: string | undefined
  readonly databaseUrlFile: string | undefined
}

export const urlFrom = ({ databaseUrl, databaseUrlFile }: DatabaseOptions) =>
  Effect.flatMap(
    Effect.promise(() => import("../../../tools/collector/database/connect.ts")),
    ({ databaseUrl: read }) =>
      read({ url: databaseUrl, file: databaseUrlFile, environment: process.env["HOOKTAPE_DATABASE_URL"] })
  )

const remedies = {
  address: "Name it in HOOKTAPE_DATABASE_URL, or in a file that --database-url-file names.",
  tls: unprotected.remedy,
  connect: 'Is PostgreSQL there, and was "hooktape collect migrate" run?',
  migrate: "Nothing was changed. Use the newest hooktape, and a role that may create roles and schemas.",
  ask: 'Was "hooktape collect migrate" run, and may this role do it?',
  reach: "Is PostgreSQL there, and does the URL name it with a role that may log in?"
} as const

/** What the database says, as a sentence with what to do. */
export const told =
  (what: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.catchAll(work, (error: E) =>
      Effect.flatMap(
        Effect.promise(() => import("../../../tools/collector/database/connect.ts")),
        ({ DatabaseError, isMissing, reasonOf }) =>
          error instanceof CliError
            ? Effect.fail(error)
            : Effect.fail(
                new CliError({
                  what,
                  reason: error instanceof DatabaseError ? error.message : reasonOf(error),
                  remedy:
                    remedies[error instanceof DatabaseError ? error.op : isMissing(error) ? "ask" : "reach"],
                  cause: error
                })
              )
      )
    )

/** What was asked for cannot be. */
export const usage = (reason: string, remedy: string) => new CliError({ what: "usage", reason, remedy })

export const database = {
  databaseUrl: text("URL", "The database, as postgresql://…; with a password it is refused here.", {
    example: "hooktape collect status --database-url 'postgresql:///hooktape?host=/run/postgresql'"
  }),
  databaseUrlFile: text(
    "FILE",
    "A file with that URL, which may hold a password. Default: HOOKTAPE_DATABASE_URL in the environment.",
    { sample: "/etc/hooktape/database-url" }
  )
}
