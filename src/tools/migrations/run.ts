/** A run as it goes on: each step after a copy of what it changes, with the journal written before and after, so that it can be cut off anywhere. */
import { randomBytes } from "node:crypto"
import { newFactId } from "../../../events/ids.ts"
import { messageOf } from "../../state/messageOf.ts"
import { StateError } from "../../state/state.ts"
import type { Begun, Tools } from "./Begun.ts"
import { beginFile } from "./fileChange.ts"
import {
  type ChangeRecord,
  type Journal,
  type RunRecord,
  type StepRecord,
  unfinished,
  withRun,
  writeJournal
} from "./journal.ts"
import { beginLog } from "./logChange.ts"
import type { Change, Migration } from "./Migration.ts"
import { MigrationError } from "./MigrationError.ts"
import { tell } from "./tell.ts"

/** How one step went. */
export interface Result {
  readonly number: number
  readonly name: string
  readonly project?: string
  readonly status: "done" | "nothing to do" | "failed"
  readonly files: readonly string[]
  readonly backups: readonly string[]
  readonly reason?: string
  readonly remedy?: string
}

const begin = (tools: Tools, change: Change, known: ChangeRecord | undefined): Begun =>
  change.kind === "log" ? beginLog(tools, change, known) : beginFile(tools, change, known)

const backupsOf = (changes: readonly ChangeRecord[]): readonly string[] =>
  changes.flatMap(({ backup }) => backup ?? [])

/** By file, the later in place of the earlier. */
const merged = (before: readonly ChangeRecord[], after: readonly ChangeRecord[]): readonly ChangeRecord[] => [
  ...before.filter(({ file }) => !after.some((one) => one.file === file)),
  ...after
]

/** What the system said no to, or is not as it must be, is a reason; anything else is a defect. */
const asFailure = (cause: unknown): MigrationError => {
  if (cause instanceof MigrationError) return cause
  const isOfSystem = typeof (cause as { code?: unknown } | null)?.code === "string"
  if (!isOfSystem && !(cause instanceof StateError)) throw cause
  return new MigrationError(
    messageOf(cause),
    "See that it can be read and written, then run the command again.",
    {
      cause
    }
  )
}

/** `from`: the number of the state directory before it; a run that was cut off knows its own. */
export const makeRun = (tools: Tools, start: Journal, from: number | null) => {
  const { disk, now, state } = tools
  const cutOff = unfinished(start)
  let journal = start
  let record: RunRecord = cutOff ?? { at: now, state: "running", from, projects: {}, steps: [] }

  const keep = (next: RunRecord): void => {
    // Somebody asked for it, or it would not have begun.
    const { held: _, ...rest } = withRun(journal, record, next)
    journal = rest
    record = next
    writeJournal(disk, state, journal)
  }

  const keepStep = (step: StepRecord): void => {
    const others = record.steps.filter(({ name, project }) => name !== step.name || project !== step.project)
    keep({ ...record, steps: [...others, step] })
  }

  /** What a run that was cut off did of the step already stays part of it, and is taken back with the rest. */
  const step = (migration: Migration, project: string | undefined): Result => {
    const known = record.steps.find((one) => one.name === migration.name && one.project === project)
    const who = {
      number: migration.number,
      name: migration.name,
      ...(project === undefined ? {} : { project })
    }
    const begun: Begun[] = []
    let doing: StepRecord = { ...who, state: "begun", changes: known?.changes ?? [] }
    try {
      const changes = migration.plan({ state, project })
      if (changes.length === 0 && known?.state !== "begun")
        return { ...who, status: "nothing to do", files: [], backups: [] }
      for (const change of changes)
        begun.push(
          begin(
            tools,
            change,
            known?.changes.find(({ file }) => file === change.file)
          )
        )
      doing = {
        ...doing,
        changes: merged(
          doing.changes,
          begun.map(({ record }) => record)
        )
      }
      keepStep(doing)
      const applied = begun.map(({ apply }) => apply())
      doing = {
        ...doing,
        state: "done",
        changes: merged(doing.changes, applied),
        untold: newFactId(now, randomBytes)
      }
      keepStep(doing)
      const files = doing.changes.map(({ file }) => file)
      return { ...who, status: "done", files, backups: backupsOf(doing.changes) }
    } catch (cause) {
      const { message: reason, remedy } = asFailure(cause)
      if (doing.changes.length > 0) keepStep({ ...doing, reason })
      return { ...who, status: "failed", files: [], backups: backupsOf(doing.changes), reason, remedy }
    } finally {
      for (const one of begun) one.end()
    }
  }

  return {
    isResumed: cutOff !== undefined,
    isBegun: (name: string, project?: string): boolean =>
      record.steps.some((one) => one.name === name && one.project === project && one.state === "begun"),
    /** Projects with a step that an earlier run did not bring to its end. */
    begunIn: [
      ...new Set(
        (cutOff?.steps ?? []).flatMap(({ project, state }) =>
          project === undefined || state !== "begun" ? [] : [project]
        )
      )
    ],
    step,
    tell: (migrations: readonly Migration[]): void => {
      journal = tell(tools, journal, migrations)
    },
    reachedBy: (project: string): number => journal.projects[project] ?? 0,
    reach: (project: string, number: number): void => {
      const before = journal.projects[project] ?? null
      if (before === number) return
      journal = { ...journal, projects: { ...journal.projects, [project]: number } }
      if (record.steps.length === 0) writeJournal(disk, state, journal)
      else keep({ ...record, projects: { [project]: before, ...record.projects } })
    },
    /** One that changed nothing leaves nothing to take back. */
    end: (): void => {
      if (record.steps.length > 0) keep({ ...record, state: "done" })
    }
  }
}
