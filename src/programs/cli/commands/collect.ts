/** `hooktape collect migrate|tokens|serve|run|status`: where the facts of many machines come together, in a PostgreSQL. */
import * as Effect from "effect/Effect"
import { readRegular } from "../../../state/readRegular.ts"
import { printable } from "../../../state/terminalText.ts"
import type { FleetHook } from "../../../tools/collector/ask.ts"
import { unprotected } from "../../../tools/collector/database/address.ts"
import { tokenProblem } from "../../../tools/shipping/givenFiles.ts"
import { isLoopback } from "../../../tools/shipping/loopback.ts"
import { CliError } from "../CliError.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { argument, choice, flag, integer, optionalArgument, text } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

/** Nothing else needs it: a laptop never reads it. */
const loaded = Effect.promise(() => import("../../../tools/collector/collector.ts"))

interface DatabaseOptions {
  readonly databaseUrl: string | undefined
  readonly databaseUrlFile: string | undefined
}

const urlFrom = ({ databaseUrl, databaseUrlFile }: DatabaseOptions) =>
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
const told =
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

interface TokenOptions extends DatabaseOptions {
  readonly act: string
  readonly name: string | undefined
  readonly tenant: string | undefined
  readonly json: boolean
}

const whenOf = (date: Date | null): string => date?.toISOString().slice(0, 16).replace("T", " ") ?? "-"

const listed = (options: TokenOptions) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const { tokens } = yield* loaded
    const all = yield* tokens.list(yield* urlFrom(options))
    if (options.json) return yield* out(`${JSON.stringify({ tokens: all }, null, 2)}\n`)
    if (all.length === 0)
      return yield* note('there are no tokens. "hooktape collect tokens add" makes one.\n')
    const rows = all.map(({ heard, made, name, revoked, tenant }) => [
      printable(name),
      printable(tenant),
      whenOf(made),
      revoked === null ? "-" : style.warn(whenOf(revoked)),
      whenOf(heard)
    ])
    const titles = ["installation", "tenant", "made (UTC)", "revoked", "heard of"].map((title) => ({ title }))
    yield* out(table(titles, rows, { style, width }))
  })

const usage = (reason: string, remedy: string) => new CliError({ what: "usage", reason, remedy })

const named = Effect.fn("cli.collect.named")(function* ({ act, name }: TokenOptions) {
  const { tokenName } = yield* Effect.promise(() => import("../../../tools/collector/tokens.ts"))
  if (name === undefined)
    return yield* usage(`"tokens ${act}" wants an installation`, `Write "collect tokens ${act} NAME".`)
  if (!tokenName.test(name))
    return yield* usage(
      `"${printable(name)}" is no name`,
      "Letters, digits, dots, hyphens and underscores, at most 100."
    )
  return name
})

const tokens = (options: TokenOptions) =>
  Effect.gen(function* () {
    const { note, out, style } = yield* Screen
    const { act, tenant = "default" } = options
    if (act === "list") return yield* listed(options)
    if (act !== "add" && act !== "revoke")
      return yield* usage(`"${printable(act)}" is nothing that tokens can do`, "Write add, list or revoke.")
    const name = yield* named(options)
    const { tokens } = yield* loaded
    const url = yield* urlFrom(options)
    if (act === "add") {
      yield* out(`${yield* tokens.add(url, name, tenant)}\n`)
      return yield* note(
        "it is shown this once: put it into a file on the machine, for --token-file of hooktape ship.\n"
      )
    }
    const many = yield* tokens.revoke(url, name, tenant)
    if (many === 0)
      return yield* new CliError({
        what: "collect tokens revoke",
        reason: `"${name}" has no token that holds in tenant "${printable(tenant)}"`,
        remedy: '"hooktape collect tokens list" has them.'
      })
    yield* out(`${style.good("✔")} ${name} is refused from now on: ${many} of its tokens revoked\n`)
  }).pipe(told("collect tokens"))

interface ServeOptions extends DatabaseOptions {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly atOnce: number | undefined
  readonly metricsTokenFile: string | undefined
}

const tokenOf = Effect.fn("cli.collect.metricsToken")(function* (file: string) {
  const problem = tokenProblem(file)
  const token = problem === undefined ? readRegular(file).toString("utf8").trim() : ""
  if (token.length >= 16 && token.length <= 200) return token
  return yield* usage(
    `the file with the token for Prometheus ${problem ?? "holds none of 16 to 200 characters"}`,
    "Put such a token into it, in one line."
  )
})

const serve = ({
  atOnce = 8,
  host = "127.0.0.1",
  metricsTokenFile,
  port = 4318,
  ...database
}: ServeOptions) =>
  Effect.gen(function* () {
    const { note, out, style } = yield* Screen
    if (port < 0 || port > 65_535) return yield* usage(`${port} is no port`, "Ports go from 1 to 65535.")
    if (atOnce < 1 || atOnce > 100)
      return yield* usage(`${atOnce} batches at once cannot be`, "Between 1 and 100 can.")
    const metricsToken = metricsTokenFile === undefined ? undefined : yield* tokenOf(metricsTokenFile)
    const { serveBatches } = yield* loaded
    const url = yield* urlFrom(database)
    if (!isLoopback(host))
      yield* note(
        `${style.warn("!")} whoever is on the way reads along: HTTP is spoken at ${printable(host)}. Put a proxy that speaks TLS in front; machines ship to https only.\n`
      )
    const line = (text: string) => note(`${new Date().toISOString()} ${text}\n`)
    return yield* serveBatches(
      url,
      { host, port, atOnce, waiting: atOnce * 8, note: line, metricsToken },
      (at) => out(`http://${host.includes(":") ? `[${host}]` : host}:${at}/v1/facts\n`)
    )
  }).pipe(told("collect serve"))

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

interface AskOptions extends DatabaseOptions {
  readonly limit: number | undefined
  readonly json: boolean
}

const usualLimit = 50

const limitOf = (limit: number | undefined) =>
  limit === undefined || (limit >= 1 && limit <= 10_000)
    ? Effect.succeed(limit ?? usualLimit)
    : Effect.fail(usage(`${limit} rows cannot be shown`, "Between 1 and 10000 can."))

const right = (title: string) => ({ title, align: "right" as const })
const rounded = (ms: number): string => String(Math.round(ms))

interface HookAskOptions extends AskOptions {
  readonly by: "version" | undefined
}

const hookTitles = ["installations", "runs", "failed", "blocked", "mean ms", "longest ms"].map(right)

const hookCells = (
  { blocked, failed, installations, longestMs, meanMs, runs }: FleetHook,
  { warn }: { readonly warn: (text: string) => string }
): readonly string[] => [
  String(installations),
  String(runs),
  failed > 0 ? warn(String(failed)) : "0",
  String(blocked),
  rounded(meanMs),
  rounded(longestMs)
]

const noHook = "no hook has run, as far as this role may see.\n"

const hooks = ({ by, json, limit, ...database }: HookAskOptions) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const most = yield* limitOf(limit)
    const { ask } = yield* loaded
    const url = yield* urlFrom(database)
    if (by === "version") {
      const all = yield* ask.hookVersions(url, most)
      if (json) return yield* out(`${JSON.stringify({ hooks: all }, null, 2)}\n`)
      if (all.length === 0) return yield* note(noHook)
      const names = ["hook", "version", "first (UTC)", "last (UTC)"].map((title) => ({ title }))
      const rows = all.map((one) => [
        printable(one.hook),
        printable(one.from ?? "-"),
        whenOf(new Date(one.first)),
        whenOf(new Date(one.last)),
        ...hookCells(one, style)
      ])
      return yield* out(table([...names, ...hookTitles], rows, { style, width }))
    }
    const all = yield* ask.hooks(url, most)
    if (json) return yield* out(`${JSON.stringify({ hooks: all }, null, 2)}\n`)
    if (all.length === 0) return yield* note(noHook)
    const rows = all.map((one) => [printable(one.hook), ...hookCells(one, style)])
    yield* out(table([{ title: "hook" }, ...hookTitles], rows, { style, width }))
  }).pipe(told("collect hooks"))

const sessions = ({ json, limit, ...database }: AskOptions) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const most = yield* limitOf(limit)
    const { ask } = yield* loaded
    const all = yield* ask.sessions(yield* urlFrom(database), most)
    if (json) return yield* out(`${JSON.stringify({ sessions: all }, null, 2)}\n`)
    if (all.length === 0) return yield* note("there is no session, as far as this role may see.\n")
    const rows = all.map(({ agent, blocked, calls, failures, installation, last, session, waitMs }) => [
      printable(installation),
      printable(session),
      printable(agent ?? "-"),
      whenOf(new Date(last)),
      String(calls),
      String(blocked),
      failures > 0 ? style.warn(String(failures)) : "0",
      rounded(waitMs)
    ])
    const names = ["installation", "session", "agent", "last (UTC)"].map((title) => ({ title }))
    const titles = ["calls", "blocked", "failures", "waited ms"].map(right)
    yield* out(table([...names, ...titles], rows, { style, width }))
  }).pipe(told("collect sessions"))

const database = {
  databaseUrl: text("URL", "The database, as postgresql://…; with a password it is refused here.", {
    example: "hooktape collect status --database-url 'postgresql:///hooktape?host=/run/postgresql'"
  }),
  databaseUrlFile: text(
    "FILE",
    "A file with that URL, which may hold a password. Default: HOOKTAPE_DATABASE_URL in the environment.",
    { sample: "/etc/hooktape/database-url" }
  )
}

const asking = {
  ...database,
  limit: integer("N", `So many rows at most. Default: ${usualLimit}.`, { sample: "200" })
}

export const command = defineGroup({
  group: "Look after",
  summary: "Bring the facts of many machines together, in a PostgreSQL.",
  heading: "migrate|serve|run",
  line: "migrate | tokens <add|list|revoke> [name] | serve | run | status | hooks | sessions [options]",
  examples: ["hooktape collect serve --database-url-file /etc/hooktape/database-url"],
  subcommands: {
    migrate: defineAction({
      summary: "Make or renew the collector's tables, roles and functions; what is up to date is left alone.",
      options: database,
      examples: ["hooktape collect migrate --database-url-file /etc/hooktape/database-url"],
      guards: "keeps",
      run: migrate
    }),
    tokens: defineAction({
      summary: "Make, list or revoke what installations prove themselves with.",
      arguments: {
        act: argument("<add|list|revoke>", "What to do."),
        name: optionalArgument("<name>", "The installation: a name of your choice for one machine.")
      },
      options: {
        ...database,
        tenant: text("NAME", 'Whose facts these are, for who may read them. Default: "default".', {
          example: "hooktape collect tokens add laptop-7 --tenant payments"
        }),
        json: jsonOption("`{tokens: [{name, tenant, made, revoked, heard}]}`")
      },
      examples: ["hooktape collect tokens add laptop-7", "hooktape collect tokens revoke laptop-7"],
      guards: "keeps",
      run: tokens
    }),
    serve: defineAction({
      summary: "Take what installations ship, over HTTP, until it is interrupted.",
      options: {
        ...database,
        host: text("ADDRESS", "Where to listen. Default: 127.0.0.1, for a proxy that speaks TLS.", {
          sample: "10.0.0.5"
        }),
        port: integer("N", "At which port. Default: 4318; 0: any that is free.", { sample: "8080" }),
        atOnce: integer("N", "Batches at work at once, each with a connection. Default: 8.", {
          sample: "16"
        }),
        metricsTokenFile: text(
          "FILE",
          "Answer GET /metrics to a Prometheus that has the token in this file.",
          {
            sample: "token"
          }
        )
      },
      examples: ["hooktape collect serve"],
      guards: "keeps",
      run: serve
    }),
    run: defineAction({
      summary: "Work out from facts how sessions and hooks do, and see to the days, until it is interrupted.",
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
    hooks: defineAction({
      summary: "How each hook does on all machines together: runs, failures, what it stopped, what it costs.",
      options: {
        ...asking,
        by: choice(
          "WAY",
          ["version"],
          "Apart by the version of the policy that brought it, in the order in which they came.",
          { sample: "version" }
        ),
        json: jsonOption(
          "`{hooks: [{hook, installations, runs, failed, blocked, meanMs, longestMs}]}`; by version also `from, first, last`"
        )
      },
      examples: ["hooktape collect hooks", "hooktape collect hooks --by version"],
      guards: "keeps",
      run: hooks
    }),
    sessions: defineAction({
      summary: "The sessions of all machines, the newest first.",
      options: {
        ...asking,
        json: jsonOption(
          "`{sessions: [{installation, session, agent, last, calls, blocked, failures, waitMs}]}`"
        )
      },
      examples: ["hooktape collect sessions"],
      guards: "keeps",
      run: sessions
    })
  }
})
