/** Looks up what a session is told at its start. A few questions to the log, each bounded. */
import { lstatSync, readFileSync, realpathSync } from "node:fs"
import { join, sep } from "node:path"
import type { Dispatched } from "../../../events/agentEvents.ts"
import type { Reader } from "../../log/reader.ts"
import { noteFacts, notesIn } from "../../runtime/services/Note.ts"
import { confidenceOf } from "../learning/confidence.ts"
import { readPatterns } from "../learning/patternNotes.ts"
import type { Briefing } from "./brief.ts"
import { summarise } from "./summary.ts"

export interface Briefed {
  readonly state: string
  readonly project: string
  readonly session: string | null
  /** Where the user's own settings are. */
  readonly userFolder: string
  /** Patterns that are believed less are left out, 0 to 1. */
  readonly least: number
  /** Milliseconds since 1970. */
  readonly now: number
}

const maxNotes = 300
const maxPrompts = 100
const maxLooks = 60
const maxOfSession = 400
const maxFeedback = 5
const maxLearned = 12
const maxErrors = 5
const maxBytes = 64 * 1024

const preferencesFile = "preferences.md"

/** A file in this folder itself: what a link leads to may be anything of the user's. */
const textOf = (folder: string, file: string): string => {
  try {
    const stat = lstatSync(file)
    if (!stat.isFile() || stat.size > maxBytes) return ""
    return realpathSync(file).startsWith(realpathSync(folder) + sep) ? readFileSync(file, "utf8") : ""
  } catch {
    return ""
  }
}

const preferencesOf = ({ project, userFolder }: Briefed): Briefing["preferences"] =>
  [
    { file: join(userFolder, preferencesFile), folder: userFolder, shown: `~/…/hooktape/${preferencesFile}` },
    {
      file: join(project, ".hooktape", preferencesFile),
      folder: project,
      shown: `.hooktape/${preferencesFile}`
    }
  ].flatMap(({ file, folder, shown }) => {
    const text = textOf(folder, file).trim()
    return text === "" ? [] : [{ file: shown, text }]
  })

const eventsOf = (data: unknown): readonly Dispatched[] => {
  const { events } = (data ?? {}) as { readonly events?: unknown }
  return Array.isArray(events) ? (events as readonly Dispatched[]) : []
}

const feedbackIn = (reader: Reader, project: string): Briefing["feedback"] =>
  reader
    .facts({
      types: ["PAYLOAD_BUFFERED"],
      event: "prompt.submit",
      project,
      newestFirst: true,
      limit: maxPrompts
    })
    .facts.flatMap(({ data }) => {
      const events = eventsOf(data)
      const prompt = events.find(({ event }) => event === "prompt.submit")?.data["prompt"]
      return events
        .filter(({ event }) => event === "feedback.given")
        .map(({ data: { about, polarity } }) => ({
          polarity: String(polarity),
          // What it is about may be half of what was said.
          about: typeof prompt === "string" ? prompt : String(about)
        }))
    })
    .slice(0, maxFeedback)

const errorsIn = (reader: Reader, project: string, session: string | null): Briefing["errors"] => {
  const types = ["PAYLOAD_BUFFERED"]
  const last = reader
    .facts({ types, project, newestFirst: true, limit: maxLooks })
    .facts.find((fact) => fact.session !== null && fact.session !== session)?.session
  if (last === undefined || last === null) return []
  const { facts } = reader.facts({ types, project, session: last, newestFirst: true, limit: maxOfSession })
  return [...summarise([...facts].reverse()).open].reverse().slice(0, maxErrors)
}

const learnedIn = (reader: Reader, { least, now, session, ...place }: Briefed): Briefing["learned"] =>
  [...readPatterns(reader, place).notes.values()]
    .filter((note) => note.retracted === null && note.session !== session)
    .map((note) => ({ note, confidence: confidenceOf(note, now) }))
    .filter(({ confidence }) => confidence >= least)
    .sort((a, b) => b.confidence - a.confidence || (a.note.at < b.note.at ? 1 : -1))
    .slice(0, maxLearned)
    .map(({ note }) => note.text)

export const gatherBriefing = (reader: Reader, briefed: Briefed): Briefing => {
  const { project, session } = briefed
  const notes = notesIn(
    [...reader.facts({ ...noteFacts, project, newestFirst: true, limit: maxNotes }).facts].reverse()
  )
  const summary = notes.findLast(
    (note) => note.kind === "summary" && note.retracted === null && note.session !== session
  )
  return {
    summary: summary && { text: summary.text, at: summary.at },
    feedback: feedbackIn(reader, project),
    learned: learnedIn(reader, briefed),
    errors: errorsIn(reader, project, session),
    preferences: preferencesOf(briefed)
  }
}
