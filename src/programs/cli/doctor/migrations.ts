/** Whether the state directory is as this version leaves it: what is behind, what was cut off, what was taken back. */
import { join } from "node:path"
import { messageOf } from "../../../state/messageOf.ts"
import { printable } from "../../../state/terminalText.ts"
import { registeredProjects } from "../../../tools/migrations/0005-registrations.ts"
import { dueMigrations, standingOf } from "../../../tools/migrations/due.ts"
import { earlierHooks } from "../../../tools/migrations/earlierTools.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

const migrate = 'Run "hooktape migrate".'

const namesOf = (state: string): readonly string[] => [
  ...new Set(
    dueMigrations(state, registeredProjects(state), false)
      // Of a project that is new here nothing is due where there is nothing to do.
      .filter(({ files, project }) => project === undefined || files.length > 0)
      .map(({ migration }) => migration.name)
  )
]

/** Nothing to say where nothing was installed. */
export const checkMigrations = (state: string): readonly Check[] => {
  try {
    const { damaged, halfWay, kind, newest, reached } = standingOf(state)
    if (kind === "fresh") return []
    if (kind === "newer")
      return [
        warn(
          "migrations",
          `a newer hooktape was here (layout ${reached}, this version knows ${newest}): what this one cannot read stays as it is`,
          "Update this one."
        )
      ]
    if (halfWay !== undefined) {
      const why = halfWay.reason === undefined ? "" : `: ${halfWay.reason}`
      const of = halfWay.steps.length === 0 ? "" : ` of ${halfWay.steps.join(", ")}`
      return [
        fail(
          "migrations",
          `${halfWay.undoing ? "a rollback" : "a migration"}${of} was not brought to its end${why}`,
          halfWay.undoing ? 'Run "hooktape migrate --rollback" again.' : migrate
        )
      ]
    }
    const names = namesOf(state)
    if (damaged === true)
      return [
        warn(
          "migrations",
          `${join(state, "migrations.json")} is damaged: what was migrated cannot be taken back${names.length === 0 ? "" : `; due: ${names.join(", ")}`}`,
          `Files as they were before lie in ${join(state, "backups")}. ${names.length === 0 ? "Move the damaged file away." : migrate}`
        )
      ]
    if (kind === "held")
      return [
        warn(
          "migrations",
          `${names.join(", ")}: taken back, and not done again by itself`,
          `Install the version before, or go on with this one: ${migrate.toLowerCase()}`
        )
      ]
    return names.length === 0
      ? [ok("migrations", `up to date (layout ${reached})`)]
      : [warn("migrations", `due: ${names.join(", ")}`, migrate)]
  } catch (cause) {
    return [fail("migrations", messageOf(cause), "See that the state directory can be read.")]
  }
}

/** Hooks of earlier tools that run beside the shipped hooks which do the same. */
export const checkEarlierHooks = (project: string): readonly Check[] => {
  try {
    return earlierHooks([project]).map(({ file, hooks }) =>
      warn(
        "earlier hooks",
        `${printable(file)} calls ${[...new Set(hooks.map(({ tool }) => tool))].join(" and ")} for what ${[...new Set(hooks.map(({ hook }) => hook))].join(", ")} ${hooks.length === 1 ? "does" : "do"} too`,
        'Run "hooktape migrate --replace" to have only the shipped hooks; "hooktape migrate --rollback" takes that back.'
      )
    )
  } catch {
    // A settings file that cannot be read is told where agents are looked at.
    return []
  }
}
