/** What a migration would do, and what was left half done: reads only. */
import { layout, reachedLayout } from "../../state/layout.ts"
import { findJournal, type Journal, readJournal, unfinished } from "./journal.ts"
import type { Migration } from "./Migration.ts"
import { migrations as all } from "./migrations.ts"

export interface Due {
  readonly migration: Migration
  readonly project?: string
  /** What it would change; none where it finds nothing to do. */
  readonly files: readonly string[]
}

/** Where a state directory stands. */
export interface Standing {
  /** `fresh`: nobody was here. `held`: it was taken back, and waits for somebody to ask for it again. */
  readonly kind: "fresh" | "current" | "behind" | "newer" | "held"
  readonly reached: number | null
  readonly newest: number
  /** What was migrated is not known any more. */
  readonly damaged?: true
  /** Steps that were begun and not brought to their end, in a run or in taking one back. */
  readonly halfWay?: {
    readonly undoing: boolean
    readonly steps: readonly string[]
    readonly reason?: string
  }
}

const halfWayIn = (journal: Journal): Pick<Standing, "halfWay"> => {
  const run = unfinished(journal)
  if (run === undefined) return {}
  const open = run.state === "undoing" ? run.steps : run.steps.filter(({ state }) => state === "begun")
  const reason = open.find((step) => step.reason !== undefined)?.reason
  const steps = open.map(({ name }) => name)
  return { halfWay: { undoing: run.state === "undoing", steps, ...(reason === undefined ? {} : { reason }) } }
}

export const standingOf = (state: string): Standing => {
  const reached = reachedLayout(state)
  if (reached === undefined) return { kind: "fresh", reached: null, newest: layout }
  const at = { reached, newest: layout }
  if (reached > layout) return { kind: "newer", ...at }
  const { isDamaged, journal } = findJournal(state)
  const kind = reached === layout ? "current" : journal.held === true ? "held" : "behind"
  return { kind, ...at, ...(isDamaged ? { damaged: true } : {}), ...halfWayIn(journal) }
}

/** In the order in which they would run. */
export const dueMigrations = (
  state: string,
  projects: readonly string[],
  again: boolean,
  migrations: readonly Migration[] = all
): readonly Due[] => {
  const reached = reachedLayout(state)
  if (reached === undefined) return []
  const journal = readJournal(state)
  const isResumed = unfinished(journal) !== undefined
  const part = (project: string | undefined, at: number): readonly Due[] =>
    migrations
      .filter(({ perProject }) => project === undefined || perProject === true)
      .filter(({ number }) => number > at || again || isResumed)
      .map((migration) => ({
        migration,
        ...(project === undefined ? {} : { project }),
        files: migration.plan({ state, project }).map(({ file }) => file)
      }))
  return [
    ...part(undefined, reached),
    ...projects.flatMap((project) => part(project, journal.projects[project] ?? 0))
  ]
}
