/** `hooktape --log NAME`: a fleet's log in place of this machine's. What is new of it is fetched first. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { count, span } from "../../features/timeline/words.ts"
import { CliError } from "./CliError.ts"
import { declarations } from "./declarations.ts"
import { chooseLogState, findPlaces } from "./places.ts"
import { Screen } from "./Screen.ts"
import type { Action } from "./syntax/Command.ts"
import type { Given } from "./syntax/read.ts"

/** The commands that may ask a fleet's log, or have one below them that may. */
const takers = async (): Promise<readonly string[]> =>
  Object.entries(await declarations())
    .filter(([, { action, subcommands = {} }]) =>
      [action, ...Object.values(subcommands)].some((one) => one?.ofFleet !== undefined)
    )
    .map(([name]) => name)

const dayMs = 86_400_000
/** Of an installation that is new here. */
const lookBackDays = 7
const most = 200_000

const fleet = Effect.promise(async () => ({
  named: await import("../../tools/fleet/NamedLog.ts"),
  fetching: await import("../../tools/fleet/fetchLog.ts"),
  database: await import("../../tools/collector/database/connect.ts")
}))

const againEvery = "3 seconds"

/** Again and again; of a database that cannot be asked it is said once, until it could be. */
const keepFetching = Effect.fn("cli.chooseLog.keepFetching")(function* (
  name: string,
  fetch: Effect.Effect<unknown, unknown>
) {
  const { note, style } = yield* Screen
  const { database } = yield* fleet
  let isSaid = false
  const turn = Effect.matchEffect(fetch, {
    onSuccess: () =>
      Effect.sync(() => {
        isSaid = false
      }),
    onFailure: (error) => {
      if (isSaid) return Effect.void
      isSaid = true
      return note(
        `${style.warn("!")} ${name} cannot be asked (${database.reasonOf(error)}): it is tried again.\n`
      )
    }
  })
  yield* Effect.forever(Effect.zipRight(Effect.sleep(againEvery), turn))
})

/** Succeeds with the options that the command is to have. */
export const chooseLog = Effect.fn("cli.chooseLog")(function* (
  name: string,
  command: string,
  { ofFleet }: Action,
  given: Given
) {
  const { note, style } = yield* Screen
  const what = `--log ${name}`
  if (ofFleet === undefined)
    return yield* new CliError({
      what: "usage",
      reason: `"${command}" asks this machine only`,
      remedy: `--log goes with ${(yield* Effect.promise(takers)).join(", ")}.`
    })
  const { env, state, userFolder } = findPlaces()
  const { database, fetching, named } = yield* fleet
  const file = join(userFolder, "config.json")
  const refuse = ({ reason, remedy }: { readonly reason: string; readonly remedy: string }) =>
    new CliError({ what, reason, remedy })
  const found = yield* Either.mapLeft(named.namedLog(file, name), refuse)
  const url = yield* Either.mapLeft(named.urlOf(found, file, env), refuse)
  const directory = named.replicaOf(state, name, found)
  const before = fetching.fetchedAt(directory)
  const now = yield* Clock.currentTimeMillis
  const options = { url: Redacted.make(url), directory, since: now - lookBackDays * dayMs, most }
  const fetched = yield* Effect.either(fetching.fetchLog(options))
  if (Either.isLeft(fetched)) {
    const reason = database.reasonOf(fetched.left)
    if (before === undefined)
      return yield* new CliError({
        what,
        reason: `it cannot be asked: ${reason}`,
        remedy: 'Is PostgreSQL there, and does the role have "hooktape_reader"?',
        cause: fetched.left
      })
    yield* note(
      `${style.warn("!")} ${name} cannot be asked (${reason}): this is what was fetched ${span(now - before)} ago.\n`
    )
  } else if (fetched.right.left > 0)
    yield* note(
      `${style.warn("!")} the newest ${most} facts were fetched; ${count(fetched.right.left, "older one")} that came since the last time, or in ${lookBackDays} days, were left out.\n`
    )
  chooseLogState(directory)
  // As long as the command goes on, which is as long as its process.
  if (given["follow"] === true) yield* Effect.forkDaemon(keepFetching(name, fetching.fetchMore(options)))
  const isOfAll = ofFleet === "of all projects" && given["project"] === undefined
  return isOfAll ? { ...given, all: true } : given
})
