/**
 * What was migrated, and what is being migrated: written before each step and after it, so that whoever finds a step half done
 * knows what was there before. `migrations.json` in the state directory.
 */
import { join } from "node:path"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readPrivate } from "../../state/state.ts"
import { type Disk, replaceFile } from "./Disk.ts"
import { MigrationError } from "./MigrationError.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const ChangeRecord = Schema.Struct({
  kind: Schema.Literal("file", "log"),
  file: Schema.String,
  /** Where what was there before is; `itself`: it can be made of what is there now. Absent: nothing was there. */
  kept: optional(Schema.Literal("backup", "itself")),
  backup: optional(Schema.String),
  /** SHA-256 of the file before and after; null where there was or is to be none, `after` missing where it is not known. */
  before: Schema.NullOr(Schema.String),
  after: optional(Schema.NullOr(Schema.String)),
  mode: Schema.Number,
  /** Of a log: the version of its tables before, and how far it went. */
  version: optional(Schema.Number),
  extent: optional(Schema.String)
})
export type ChangeRecord = typeof ChangeRecord.Type

const StepRecord = Schema.Struct({
  number: Schema.Number,
  name: Schema.String,
  project: optional(Schema.String),
  state: Schema.Literal("begun", "done"),
  changes: Schema.Array(ChangeRecord),
  /** Why it stopped, where it said so. */
  reason: optional(Schema.String),
  /** The fact that tells of it, until it is recorded. */
  untold: optional(Schema.String)
})
export type StepRecord = typeof StepRecord.Type

const RunRecord = Schema.Struct({
  at: Schema.Number,
  state: Schema.Literal("running", "done", "undoing", "undone"),
  /** The numbers before it: of the user's part, and of each project; null where there was none. */
  from: Schema.NullOr(Schema.Number),
  projects: Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.Number) }),
  steps: Schema.Array(StepRecord),
  /** The fact that it was taken back, until that is recorded. */
  untold: optional(Schema.String)
})
export type RunRecord = typeof RunRecord.Type

const Journal = Schema.Struct({
  version: Schema.Literal(1),
  /** The number that each project has reached. */
  projects: Schema.Record({ key: Schema.String, value: Schema.Number }),
  /** Taken back by somebody: nothing runs by itself again until they ask for it. */
  held: optional(Schema.Boolean),
  /** Oldest first. */
  runs: Schema.Array(RunRecord)
})
export type Journal = typeof Journal.Type

const empty: Journal = { version: 1, projects: {}, runs: [] }

/** What is older nobody takes back. */
const maxRuns = 10

const decode = Schema.decodeUnknownOption(Schema.parseJson(Journal))

export const journalFile = (state: string): string => join(state, "migrations.json")

interface Found {
  readonly journal: Journal
  /** What it says is not to be had: what was migrated is not known. */
  readonly isDamaged: boolean
}

/** One that is damaged remembers nothing; one of a newer version is not this one's to write. */
export const findJournal = (state: string): Found => {
  const text = readPrivate(journalFile(state))?.toString("utf8")
  if (text === undefined) return { journal: empty, isDamaged: false }
  const known = Option.getOrUndefined(decode(text))
  if (known !== undefined) return { journal: known, isDamaged: false }
  if (/^\s*\{\s*"version"\s*:\s*(?!1\b)\d/.test(text))
    throw new MigrationError(
      `${journalFile(state)} was written by a newer hooktape`,
      "Update this one; nothing was changed."
    )
  return { journal: empty, isDamaged: true }
}

export const readJournal = (state: string): Journal => findJournal(state).journal

export const writeJournal = (disk: Disk, state: string, journal: Journal): void =>
  replaceFile(
    disk,
    journalFile(state),
    Buffer.from(`${JSON.stringify({ ...journal, runs: journal.runs.slice(-maxRuns) }, null, 2)}\n`),
    0o600
  )

/** The run that was not brought to its end, if there is one: a later one goes on with it. */
export const unfinished = ({ runs }: Journal): RunRecord | undefined => {
  const last = runs.at(-1)
  return last?.state === "running" || last?.state === "undoing" ? last : undefined
}

export const withRun = (journal: Journal, before: RunRecord | undefined, run: RunRecord): Journal => ({
  ...journal,
  runs: [...journal.runs.filter((one) => one !== before), run]
})
