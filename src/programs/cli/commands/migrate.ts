/** `hooktape migrate`: brings what an earlier version left into this version's shape, and takes that back. */
import * as Effect from "effect/Effect"
import { count } from "../../../features/timeline/words.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { registeredProjects } from "../../../tools/migrations/0005-registrations.ts"
import { dueMigrations, standingOf } from "../../../tools/migrations/due.ts"
import { earlierHooks, earlierTools, type Offer } from "../../../tools/migrations/earlierTools.ts"
import { MigrationError } from "../../../tools/migrations/MigrationError.ts"
import { type RolledBack, rollBack } from "../../../tools/migrations/rollBack.ts"
import type { Result } from "../../../tools/migrations/run.ts"
import { everyStep, type Report, realPorts, runMigrations } from "../../../tools/migrations/runMigrations.ts"
import { CliError } from "../CliError.ts"
import { neededVariable } from "../neededVariable.ts"
import { findPlaces } from "../places.ts"
import { Screen } from "../Screen.ts"
import { stopHost } from "../stopHost.ts"
import { defineCommand } from "../syntax/Command.ts"
import { flag } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

interface MigrateOptions {
  readonly dryRun: boolean
  readonly force: boolean
  readonly rollback: boolean
  readonly replace: boolean
  readonly user: boolean
  readonly json: boolean
}

const what = "migrate"

const usage = (reason: string, remedy: string) => new CliError({ what, reason, remedy })

const attempt = <A>(act: () => A): Effect.Effect<A, CliError> =>
  Effect.try({
    try: act,
    catch: (cause) =>
      cause instanceof MigrationError
        ? new CliError({ what, reason: cause.message, remedy: cause.remedy, cause })
        : new CliError({
            what,
            reason: messageOf(cause),
            remedy: 'Run "hooktape doctor", then the command again.',
            cause
          })
  })

const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const aboutOf = (number: number): string =>
  everyStep(realPorts).find((one) => one.number === number)?.about ?? ""

const headOf = ({ name, number, project }: Pick<Result, "name" | "number" | "project">): string => {
  const of = project === undefined ? "" : ` of ${printable(project)}`
  return `${String(number).padStart(4, "0")} ${name}${of}`
}

const listed = (files: readonly string[], word = ""): string =>
  files.map((file) => `    ${word}${printable(file)}\n`).join("")

/** Whose settings are looked at besides the user's. */
const projectsOf = ({ user }: MigrateOptions): readonly string[] => {
  const { project, state } = findPlaces()
  return user ? [] : [...new Set([...registeredProjects(state), project])]
}

/** What stands for it may be off where it is not asked for. */
const standIn = (hook: string): string => {
  const variable = neededVariable(hook, process.env)
  return variable === undefined ? hook : `${hook}, which is off until ${variable} is true`
}

const offersText = (offers: readonly Offer[]): string =>
  offers.length === 0
    ? ""
    : `offered: hooks of earlier tools, for which shipped hooks stand. "hooktape migrate --replace" takes them out.\n${offers
        .map(
          ({ file, hooks }) =>
            `    ${printable(file)}\n${hooks.map(({ command, event, hook }) => `      ${printable(event)}: ${printable(command)} (${standIn(hook)})\n`).join("")}`
        )
        .join("")}`

const refusal = (state: string, { from, refused }: Report): CliError =>
  refused === "newer"
    ? usage(`${state} is of a newer hooktape (layout ${from})`, "Update this one; nothing was changed.")
    : usage("it was taken back", 'Run "hooktape migrate" when it is to be done again.')

const tellDue = (options: MigrateOptions) =>
  Effect.gen(function* () {
    const { out } = yield* Screen
    const { force, json, user } = options
    const { state } = findPlaces()
    const standing = yield* attempt(() => standingOf(state))
    const projects = user ? [] : registeredProjects(state)
    const offers = yield* attempt(() => earlierHooks(projectsOf(options)))
    const due = yield* attempt(() => (standing.kind === "newer" ? [] : dueMigrations(state, projects, force)))
    if (json) {
      const steps = due.map(({ files, migration: { about, from, name, number, to }, project }) => ({
        number,
        name,
        from,
        to,
        about,
        ...(project === undefined ? {} : { project }),
        files
      }))
      return yield* out(document({ dryRun: true, ...standing, steps, offers }))
    }
    if (standing.kind === "newer")
      return yield* refusal(state, { from: standing.reached, to: null, results: [], refused: "newer" })
    if (due.length === 0) {
      const why = standing.kind === "fresh" ? "nothing is installed in it" : "it is as this version leaves it"
      return yield* out(`nothing is due in ${state}: ${why}\n${offersText(offers)}`)
    }
    yield* out(
      due
        .map(
          ({ files, migration, project }) =>
            `${headOf({ ...migration, ...(project === undefined ? {} : { project }) })}: ${migration.about}\n${files.length === 0 ? "    nothing to do\n" : listed(files)}`
        )
        .join("") + offersText(offers)
    )
  })

const forward = (options: MigrateOptions) =>
  Effect.gen(function* () {
    const { out, style } = yield* Screen
    const { force, json, replace, user } = options
    const { state } = findPlaces()
    if ((yield* attempt(() => standingOf(state))).kind === "fresh")
      return yield* usage(`nothing is installed in ${state}`, 'Run "hooktape install" first.')
    const report = yield* attempt(() =>
      runMigrations({
        state,
        projects: replace ? projectsOf(options) : user ? [] : registeredProjects(state),
        again: force,
        replace
      })
    )
    const failed = report.results.find(({ status }) => status === "failed")
    if (json) yield* out(document({ ok: failed === undefined && report.refused === undefined, ...report }))
    else if (report.refused !== undefined) return yield* refusal(state, report)
    else {
      const signs = { done: style.good("✔"), "nothing to do": style.faint("·"), failed: style.bad("✖") }
      const lines = report.results.map((result) => {
        const { backups, files, reason, status } = result
        const told = status === "failed" ? `${reason}` : status === "done" ? aboutOf(result.number) : status
        return `${signs[status]} ${headOf(result)}: ${printable(told)}\n${listed(files)}${listed(backups, "backup  ")}`
      })
      const last =
        failed !== undefined
          ? `What is behind it waits. ${failed.remedy}\n`
          : report.results.some(({ status }) => status === "done")
            ? `"hooktape migrate --rollback" takes this back.\n`
            : `nothing is due in ${state}: it is as this version leaves it\n`
      yield* out(lines.join("") + last)
    }
    return failed === undefined && report.refused === undefined ? 0 : 1
  })

const tellRolledBack = ({ files, names }: RolledBack, isDone: boolean): string =>
  `${isDone ? "taken back" : "would take back"}: ${[...new Set(names)].join(", ")}, ${count(files.length, "file")}\n${listed(files)}`

const back = ({ dryRun, force, json }: MigrateOptions) =>
  Effect.gen(function* () {
    const { out, style } = yield* Screen
    const { state } = findPlaces()
    const would = yield* attempt(() => rollBack({ state, force, dryRun: true }))
    // It has the log open, and would go on writing it as it was.
    if (!dryRun && would !== undefined) yield* stopHost(state)
    const undone =
      dryRun || would === undefined ? would : yield* attempt(() => rollBack({ state, force, dryRun }))
    if (json) return yield* out(document({ ok: true, dryRun, ...(undone ?? { names: [], files: [] }) }))
    if (undone === undefined) return yield* out("there is no migration to take back\n")
    yield* out(
      dryRun
        ? tellRolledBack(undone, false)
        : undone.names.every((name) => name === earlierTools.name)
          ? `${style.good("✔")} ${tellRolledBack(undone, true)}`
          : `${style.good("✔")} ${tellRolledBack(undone, true)}Install the version before now, then run its "hooktape install"; or "hooktape migrate" to go on with this one.\n`
    )
  })

const migrate = (options: MigrateOptions) => {
  if (options.rollback) return back(options)
  return options.dryRun ? tellDue(options) : forward(options)
}

export const command = defineCommand({
  group: "Set up",
  summary: "Bring what an earlier version left up to date, or take that back.",
  options: {
    dryRun: flag("Say what would be done, and change nothing.", { example: "hooktape migrate --dry-run" }),
    force: flag(
      "Look at every step again, whatever was recorded; with --rollback, put back files that were changed since.",
      { example: "hooktape migrate --force" }
    ),
    rollback: flag("Take the last migration back, to the byte.", { example: "hooktape migrate --rollback" }),
    replace: flag(
      "Also take hooks of earlier tools out of agents' settings, where a shipped hook does the same, and register hooktape there.",
      { example: "hooktape migrate --replace" }
    ),
    user: flag("Only what is yours: registrations in projects stay as they are.", {
      example: "hooktape migrate --user"
    }),
    json: jsonOption(
      "`{ok, from, to, results: [{number, name, project?, status, files, backups, reason?, remedy?}], refused?}`; with `--dry-run` `{dryRun, kind, reached, newest, damaged?, halfWay?, steps: [{number, name, from, to, about, project?, files}], offers: [{agent, scope, file, hooks: [{event, command, hook, tool}]}]}`; with `--rollback` `{ok, dryRun, names, files, to?}`"
    )
  },
  examples: ["hooktape migrate", "hooktape migrate --rollback"],
  guards: ({ dryRun, force, replace, rollback }) => !dryRun && (force || replace || rollback),
  run: migrate
})
