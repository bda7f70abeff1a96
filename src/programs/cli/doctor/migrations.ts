/** Whether the state directory is as this version leaves it: what is behind, what was cut off, what was taken back. */
import { messageOf } from "../../../state/messageOf.ts"
import { registeredProjects } from "../../../tools/migrations/0005-registrations.ts"
import { dueMigrations, standingOf } from "../../../tools/migrations/due.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

const migrate = 'Run "hooktape migrate".'

const namesOf = (state: string): readonly string[] => [
  ...new Set(dueMigrations(state, registeredProjects(state), false).map(({ migration }) => migration.name))
]

/** Nothing to say where nothing was installed. */
export const checkMigrations = (state: string): readonly Check[] => {
  try {
    const { halfWay, kind, newest, reached } = standingOf(state)
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
