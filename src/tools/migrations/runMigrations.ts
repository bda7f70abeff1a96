/** Does what is due, under the lock: the user's steps in their order, then those of each project. Goes on where an earlier run was cut off. */
import { existsSync } from "node:fs"
import { layoutFile, reachedLayout } from "../../state/layout.ts"
import { removeHalfCopy } from "./backUp.ts"
import { type Disk, realDisk, replaceFile } from "./Disk.ts"
import { earlierTools } from "./earlierTools.ts"
import { findJournal, journalFile, readJournal, unfinished } from "./journal.ts"
import { takeMigrationLock } from "./lock.ts"
import type { Migration } from "./Migration.ts"
import { MigrationError } from "./MigrationError.ts"
import { migrations } from "./migrations.ts"
import { makeRun, type Result } from "./run.ts"
import { isUntold } from "./tell.ts"

export interface Request {
  readonly state: string
  /** Whose own part is looked at besides the user's. */
  readonly projects?: readonly string[]
  /** Every step is looked at, whatever number was reached: another version may have been here since. */
  readonly again?: boolean
  /** Also what is only offered. */
  readonly replace?: boolean
  /** Nobody asked for it: not after somebody had it taken back. */
  readonly byItself?: boolean
}

export interface Ports {
  readonly disk: Disk
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** In the order of their numbers. */
  readonly migrations: readonly Migration[]
  /** What is done only on somebody's word, and counts for no number. */
  readonly offers: readonly Migration[]
}

export const realPorts: Ports = { disk: realDisk, now: Date.now, migrations, offers: [earlierTools] }

/** All that a run may have done. */
export const everyStep = ({ migrations, offers }: Ports): readonly Migration[] => [...migrations, ...offers]

export interface Report {
  /** The number reached before and after; null where there was none. */
  readonly from: number | null
  readonly to: number | null
  readonly results: readonly Result[]
  /** Why nothing was looked at: a newer version was here, or somebody had it taken back. */
  readonly refused?: "newer" | "held"
}

export const newestOf = (steps: readonly Migration[]): number => steps.at(-1)?.number ?? 0

export const writeLayout = (disk: Disk, state: string, number: number | null): void => {
  if (number === null) disk.remove(layoutFile(state))
  else if (!existsSync(layoutFile(state)) || reachedLayout(state) !== number)
    replaceFile(disk, layoutFile(state), Buffer.from(`${number}\n`), 0o600)
}

/** Of a part that has reached `at`; one that fails holds up all behind it. */
const runPart = (
  due: readonly Migration[],
  at: number,
  step: (migration: Migration) => Result
): { readonly results: readonly Result[]; readonly to: number; readonly failed: boolean } => {
  const results: Result[] = []
  let to = at
  for (const migration of due) {
    const result = step(migration)
    results.push(result)
    if (result.status === "failed") return { results, to, failed: true }
    to = Math.max(to, migration.number)
  }
  return { results, to, failed: false }
}

const cutOffRollback = (): MigrationError =>
  new MigrationError(
    "a rollback was cut off",
    'Run "hooktape migrate --rollback" again: it goes on where it stopped.'
  )

/** Mostly so: two small files are read, and no lock is taken. */
const isUpToDate = ({ again, projects = [], replace, state }: Request, newest: number): boolean => {
  if (again === true || replace === true || reachedLayout(state) !== newest) return false
  const journal = readJournal(state)
  const isOpen = unfinished(journal) !== undefined || isUntold(journal)
  return !isOpen && projects.every((project) => journal.projects[project] === newest)
}

export const runMigrations = (request: Request, ports: Ports = realPorts): Report => {
  const { again = false, byItself = false, projects = [], replace = false, state } = request
  const { disk, now, migrations, offers } = ports
  const newest = newestOf(migrations)
  if (isUpToDate(request, newest)) return { from: newest, to: newest, results: [] }
  const release = takeMigrationLock(state)
  try {
    const reached = reachedLayout(state)
    const from = reached ?? null
    if (reached !== undefined && reached > newest) return { from, to: from, results: [], refused: "newer" }
    if (reached === undefined) {
      // Nobody was here before: there is nothing to bring up to date.
      writeLayout(disk, state, newest)
      return { from, to: newest, results: [] }
    }
    const { isDamaged, journal } = findJournal(state)
    const isUndoing = unfinished(journal)?.state === "undoing"
    // What a damaged one said is not known: somebody may have taken back what would be done again.
    if (byItself && (journal.held === true || isUndoing || isDamaged))
      return { from, to: from, results: [], refused: "held" }
    if (isUndoing) throw cutOffRollback()
    if (isDamaged) disk.rename(journalFile(state), `${journalFile(state)}.damaged-${now()}`)
    removeHalfCopy(disk, state)
    const run = makeRun({ disk, state, now: now() }, journal, from)
    const isLookedAt = ({ number }: Migration, at: number): boolean => number > at || again || run.isResumed
    // One that was cut off is brought to its end, whoever runs next.
    const wantedOf = (project?: string): readonly Migration[] =>
      offers.filter(({ name }) => replace || run.isBegun(name, project))
    const own = runPart(
      [...migrations.filter((one) => isLookedAt(one, reached)), ...wantedOf()],
      reached,
      (one) => run.step(one, undefined)
    )
    const asked = projects.map((project) => {
      const at = run.reachedBy(project)
      const due = [...migrations.filter((one) => isLookedAt(one, at)), ...wantedOf(project)]
      const part = runPart(
        due.filter((one) => one.perProject === true),
        at,
        (one) => run.step(one, project)
      )
      if (!part.failed) run.reach(project, newest)
      return part
    })
    // Of a project that nobody asks for now: what was begun in it and no more.
    const begun = run.begunIn
      .filter((project) => !projects.includes(project))
      .map((project) =>
        runPart(
          everyStep(ports).filter(({ name }) => run.isBegun(name, project)),
          run.reachedBy(project),
          (one) => run.step(one, project)
        )
      )
    const parts = [own, ...asked, ...begun]
    const to = own.failed ? own.to : newest
    if (parts.every(({ failed }) => !failed)) run.end()
    disk.moment("before the number")
    writeLayout(disk, state, to)
    run.tell(everyStep(ports))
    return { from, to, results: parts.flatMap(({ results }) => results) }
  } finally {
    release()
  }
}
