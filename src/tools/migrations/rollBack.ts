/** Takes the last run back, to the byte: what each step kept is put back, last first, and nothing is migrated by itself until somebody asks for it. */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { newFactId } from "../../../events/ids.ts"
import { layoutFile, reachedLayout } from "../../state/layout.ts"
import type { Tools } from "./Begun.ts"
import { removeHalfCopy } from "./backUp.ts"
import { asideOf, type Disk } from "./Disk.ts"
import { isChangedSince, undoFile } from "./fileChange.ts"
import { digestOf } from "./fingerprint.ts"
import {
  type ChangeRecord,
  findJournal,
  type Journal,
  journalFile,
  type RunRecord,
  type StepRecord,
  withRun,
  writeJournal
} from "./journal.ts"
import { takeMigrationLock } from "./lock.ts"
import { undoLog } from "./logChange.ts"
import { MigrationError } from "./MigrationError.ts"
import { everyStep, newestOf, type Ports, realPorts, writeLayout } from "./runMigrations.ts"
import { tell } from "./tell.ts"

export interface RollBackRequest {
  readonly state: string
  /** Also what was changed since: as it is now it is kept as a backup. */
  readonly force?: boolean
  /** Says what would be put back, and changes nothing. */
  readonly dryRun?: boolean
}

export interface RolledBack {
  readonly names: readonly string[]
  readonly files: readonly string[]
  /** The number of the state directory now; null where it has none again. */
  readonly to: number | null
}

/** The one to take back: the last that was not. */
const lastOf = ({ runs }: Journal): RunRecord | undefined => runs.findLast(({ state }) => state !== "undone")

const digestAt = (file: string): string | undefined =>
  existsSync(file) ? digestOf(readFileSync(file)) : undefined

const requireBackups = (changes: readonly ChangeRecord[]): void => {
  const gone = changes.filter(
    ({ backup, before, kept, kind }) =>
      kind === "file" && kept === "backup" && (backup === undefined || digestAt(backup) !== before)
  )
  if (gone.length === 0) return
  throw new MigrationError(
    `the backup of ${gone.map(({ file }) => file).join(", ")} is gone, or is not what was kept`,
    "It cannot be taken back. Nothing was changed."
  )
}

const requireUnchanged = (changes: readonly ChangeRecord[]): void => {
  const changed = changes.filter((one) => one.kind === "file" && isChangedSince(one))
  if (changed.length === 0) return
  throw new MigrationError(
    `changed since: ${changed.map(({ file }) => file).join(", ")}`,
    '"--force" puts back what was there before; as it is now it is kept as a backup. Nothing was changed.'
  )
}

/** What was being written beside a file when the work was cut off is nobody's. */
const removeHalf = (disk: Disk, file: string): void => {
  if (existsSync(asideOf(file))) disk.remove(asideOf(file))
}

const undoStep = (tools: Tools, { migrations }: Ports, step: StepRecord, force: boolean): void => {
  const { restore } = migrations.find(({ number }) => number === step.number) ?? {}
  const place = { state: tools.state, project: step.project }
  for (const change of step.changes.toReversed()) {
    if (change.kind === "log") undoLog(tools, change, force)
    else undoFile(tools, change, (bytes) => restore?.(place, change.file, bytes))
    removeHalf(tools.disk, change.file)
  }
}

/** A call that a host took in meanwhile: nothing of it is put back. */
const isTakenIn = ({ file, kept }: ChangeRecord): boolean => kept === "itself" && !existsSync(file)

const damagedJournal = (state: string): MigrationError =>
  new MigrationError(
    `${journalFile(state)} is damaged, and with it what was migrated`,
    `Nothing was changed. Files as they were before lie in ${join(state, "backups")}: put back by hand what is to go back.`
  )

/** Undefined where there is nothing to take back. */
export const rollBack = (request: RollBackRequest, ports: Ports = realPorts): RolledBack | undefined => {
  const { dryRun = false, force = false, state } = request
  const { disk, now } = ports
  const release = takeMigrationLock(state)
  try {
    const reached = reachedLayout(state) ?? 0
    if (reached > newestOf(ports.migrations))
      throw new MigrationError(
        `${state} is of a newer hooktape`,
        "Take it back with the version that migrated it."
      )
    const { isDamaged, journal } = findJournal(state)
    if (isDamaged) throw damagedJournal(state)
    const run = lastOf(journal)
    const tools: Tools = { disk, state, now: now() }
    if (!dryRun) {
      removeHalfCopy(disk, state)
      for (const file of [layoutFile(state), journalFile(state)]) removeHalf(disk, file)
    }
    if (run === undefined) {
      tell(tools, journal, everyStep(ports))
      return undefined
    }
    const steps = run.steps.toReversed()
    const changes = steps.flatMap((step) => step.changes)
    const done: RolledBack = {
      names: steps.map(({ name }) => name),
      files: changes.flatMap((change) => (isTakenIn(change) ? [] : [change.file])),
      to: run.from
    }
    // Once it began it is brought to its end.
    if (!force && run.state !== "undoing") requireUnchanged(changes)
    requireBackups(changes)
    if (dryRun) return done
    const undoing: RunRecord = { ...run, state: "undoing" }
    const begun: Journal = { ...withRun(journal, run, undoing), held: true }
    writeJournal(disk, state, begun)
    for (const step of steps) undoStep(tools, ports, step, force)
    writeLayout(disk, state, run.from)
    const projects = Object.entries({ ...journal.projects, ...run.projects }).flatMap(([project, number]) =>
      number === null ? [] : [[project, number] as const]
    )
    const undone: RunRecord = { ...undoing, state: "undone", untold: newFactId(tools.now, randomBytes) }
    const ended: Journal = { ...withRun(begun, undoing, undone), projects: Object.fromEntries(projects) }
    writeJournal(disk, state, ended)
    tell(tools, ended, everyStep(ports))
    return done
  } finally {
    release()
  }
}
