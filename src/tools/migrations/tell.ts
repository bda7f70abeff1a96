/** Facts of what was migrated and taken back: each has its id in the journal until it is recorded, so that none is lost and none counts twice. */
import type { MigrationFact } from "../../../events/facts.ts"
import type { FactId } from "../../../events/ids.ts"
import { spoolOperatorFact } from "../../log/spool/operatorFact.ts"
import type { Tools } from "./Begun.ts"
import { type Journal, type RunRecord, type StepRecord, writeJournal } from "./journal.ts"
import type { Migration } from "./Migration.ts"

const appliedFact = ({ changes, name, number, project }: StepRecord, of?: Migration): MigrationFact => ({
  type: "MIGRATION_APPLIED",
  name,
  number,
  ...(of === undefined ? {} : { from: of.from, to: of.to }),
  ...(project === undefined ? {} : { project }),
  files: changes.map(({ file }) => file),
  backups: changes.flatMap(({ backup }) => backup ?? [])
})

const rolledBackFact = ({ from, steps }: RunRecord): MigrationFact => ({
  type: "MIGRATION_ROLLED_BACK",
  names: steps.map(({ name }) => name),
  ...(from === null ? {} : { layout: from }),
  files: steps.flatMap(({ changes }) => changes.map(({ file }) => file))
})

interface Untold {
  readonly id: string
  readonly fact: MigrationFact
}

const untoldOf = (run: RunRecord, migrations: readonly Migration[]): readonly Untold[] => [
  ...run.steps.flatMap((step): Untold[] => {
    const of = migrations.find(({ number }) => number === step.number)
    return step.untold === undefined ? [] : [{ id: step.untold, fact: appliedFact(step, of) }]
  }),
  ...(run.untold === undefined ? [] : [{ id: run.untold, fact: rolledBackFact(run) }])
]

export const isUntold = ({ runs }: Journal): boolean => runs.some((run) => untoldOf(run, []).length > 0)

const told = ({ untold: _, ...run }: RunRecord): RunRecord => ({
  ...run,
  steps: run.steps.map(({ untold: _, ...step }) => step)
})

/** Of earlier runs too, which were cut off before they could. */
export const tell = (
  { disk, now, state }: Tools,
  journal: Journal,
  migrations: readonly Migration[]
): Journal => {
  const untold = journal.runs.flatMap((run) => untoldOf(run, migrations))
  if (untold.length === 0) return journal
  disk.moment("before the facts")
  for (const { fact, id } of untold) spoolOperatorFact(state, fact, now, id as FactId)
  disk.moment("after the facts")
  const next = { ...journal, runs: journal.runs.map(told) }
  writeJournal(disk, state, next)
  return next
}
