/** `hooktape collect migrate|tokens|serve|run|status`: where the facts of many machines come together, in a PostgreSQL. */
import * as Effect from "effect/Effect"
import { hooks, problems, sessions } from "../collect/ask.ts"
import { type DatabaseOptions, database, loaded, told, urlFrom, usage } from "../collect/database.ts"
import { serve } from "../collect/serve.ts"
import { tokens } from "../collect/tokens.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { flag, integer } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

const migrate = (options: DatabaseOptions) =>
  Effect.gen(function* () {
    const { out, style } = yield* Screen
    const { migrateDatabase } = yield* loaded
    const done = yield* migrateDatabase(yield* urlFrom(options))
    yield* out(
      done.length === 0
        ? `${style.good("✔")} the database is up to date\n`
        : `${style.good("✔")} the database was migrated: ${done.join(", ")}\n`
    )
  }).pipe(told("collect migrate"))

interface RunOptions extends DatabaseOptions {
  readonly keepDays: number | undefined
}

const run = ({ keepDays, ...database }: RunOptions) =>
  Effect.gen(function* () {
    const { note } = yield* Screen
    if (keepDays !== undefined && keepDays < 1)
      return yield* usage(`${keepDays} days cannot be kept`, "At least one can.")
    const { runFolds } = yield* loaded
    const url = yield* urlFrom(database)
    yield* note("works out states from facts until it is interrupted\n")
    return yield* runFolds(url, {
      note: (text) => note(`${new Date().toISOString()} ${text}\n`),
      ...(keepDays === undefined ? {} : { keepDays })
    })
  }).pipe(told("collect run"))

interface StatusOptions extends DatabaseOptions {
  readonly json: boolean
  readonly prometheus: boolean
}

const status = ({ json, prometheus, ...database }: StatusOptions) =>
  Effect.gen(function* () {
    const { out, style, width } = yield* Screen
    const { lagOf, lagTextOf } = yield* loaded
    const url = yield* urlFrom(database)
    if (prometheus) return yield* out(yield* lagTextOf(url))
    const lags = yield* lagOf(url)
    if (json) return yield* out(`${JSON.stringify({ folds: lags }, null, 2)}\n`)
    const rows = lags.map(({ behind, fold, positions, seconds }) => [
      fold,
      String(behind),
      String(positions),
      `${seconds} s`
    ])
    yield* out(
      table(
        [
          { title: "fold" },
          { title: "installations behind", align: "right" },
          { title: "positions", align: "right" },
          { title: "waiting", align: "right" }
        ],
        rows,
        { style, width }
      )
    )
  }).pipe(told("collect status"))

export const command = defineGroup({
  group: "Look after",
  summary: "Bring the facts of many machines together, in a PostgreSQL.",
  heading: "migrate|serve|run",
  line: "migrate | tokens <add|list|revoke> [name] | serve | run | status | hooks | problems | sessions [options]",
  examples: ["hooktape collect serve --database-url-file /etc/hooktape/database-url"],
  subcommands: {
    migrate: defineAction({
      summary: "Make or renew the collector's tables, roles and functions; what is up to date is left alone.",
      options: database,
      examples: ["hooktape collect migrate --database-url-file /etc/hooktape/database-url"],
      guards: "keeps",
      run: migrate
    }),
    tokens,
    serve,
    run: defineAction({
      summary:
        "Work out from facts how sessions, hooks and problems do, and see to the days, until it is interrupted.",
      options: {
        ...database,
        keepDays: integer(
          "N",
          "Detach days of facts that are older, once they are worked out. Default: none.",
          {
            sample: "30"
          }
        )
      },
      examples: ["hooktape collect run"],
      guards: "keeps",
      run
    }),
    status: defineAction({
      summary: "How far what is worked out is behind what came in.",
      options: {
        ...database,
        json: jsonOption("`{folds: [{fold, behind, positions, seconds}]}`"),
        prometheus: flag("As Prometheus reads it, for a file of node_exporter's.")
      },
      examples: ["hooktape collect status"],
      guards: "keeps",
      run: status
    }),
    hooks,
    problems,
    sessions
  }
})
