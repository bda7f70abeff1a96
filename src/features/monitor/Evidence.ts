/** What the checks look at: read once, from all projects, and closed again. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { openReader, type ReadFact } from "../../log/reader.ts"
import { type Note, noteFacts, notesIn } from "../../runtime/services/Note.ts"

export interface SpoolError {
  readonly file: string
  readonly reason: string
}

export interface Evidence {
  readonly now: number
  /** Those that hold, of all projects. */
  readonly notes: readonly Note[]
  /** Of invocations and jobs, oldest first. */
  readonly facts: readonly ReadFact[]
  readonly spoolErrors: readonly SpoolError[]
  readonly logBytes: number
  readonly spooled: number
  /** Why there may be more than what is here. */
  readonly problem?: string
  /** There is a log, and nothing of it could be read. */
  readonly unreadable?: true
}

const factTypes = [
  "INVOCATION_OPENED",
  "EXITED",
  "HANDLER_SUCCEEDED",
  "HANDLER_FAILED",
  "HANDLER_TIMED_OUT",
  "JOB_ENQUEUED",
  "JOB_DIED",
  "BUILD_FAILED",
  "HOOKS_BUILT"
]
const maxFacts = 5000
const maxNotes = 5000
const maxSpoolErrors = 100
/** In facts of the log: what is older was looked at at the end of an earlier session. */
const window = 20_000

const named = (directory: string, ending: string): readonly string[] => {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(ending))
  } catch {
    return []
  }
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Each line that could not be taken in lies in a file of its own, with the reason. */
const spoolErrors = (state: string): readonly SpoolError[] => {
  const directory = join(state, "spool", "errors")
  return named(directory, ".json")
    .slice(0, maxSpoolErrors)
    .map((name) => {
      try {
        const { file, line, reason } = JSON.parse(readFileSync(join(directory, name), "utf8"))
        return { file: `${file}:${line}`, reason: String(reason ?? "") }
      } catch {
        return { file: name, reason: "" }
      }
    })
}

export const gather = (state: string, now: number, from: string | undefined): Evidence => {
  const reader = openReader(state, from === undefined ? {} : { from })
  try {
    const facts = reader.facts({ types: factTypes, limit: maxFacts, newestFirst: true, window })
    const recorded = reader.facts({ ...noteFacts, limit: maxNotes })
    const notes = notesIn(recorded.facts)
    return {
      now,
      notes: notes.filter(({ retracted }) => retracted === null),
      facts: facts.facts.toReversed(),
      spoolErrors: spoolErrors(state),
      logBytes: bytesOf(join(state, "log.sqlite")) + bytesOf(join(state, "log.sqlite-wal")),
      spooled: named(join(state, "spool"), ".ndjson").length,
      ...(facts.problem === undefined ? {} : { problem: facts.problem }),
      ...(facts.unreadable === undefined ? {} : { unreadable: facts.unreadable })
    }
  } finally {
    reader.close()
  }
}
