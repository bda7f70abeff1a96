/** Writes down what a session has done so far, in place of what was written of it before. */

import type { Reader, ReadFact } from "../../log/reader.ts"
import { keep } from "../../runtime/dispatch/keep.ts"
import { dispatchSources } from "../../runtime/dispatch/sources.ts"
import { type Note, noteFacts, noteStream, notesIn } from "../../runtime/services/Note.ts"
import { storeNote } from "../notes/storeNote.ts"
import { isEmpty, summarise, summaryText } from "./summary.ts"

export interface Summing {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly session: string
}

const source = "hook session-summary"
const maxFacts = 5000

/** The newest there are, and the beginning in any case: it has the goal. */
export const factsOf = (reader: Reader, project: string, session: string): readonly ReadFact[] => {
  const types = ["PAYLOAD_BUFFERED"]
  const { facts, problem } = reader.facts({ types, project, session, newestFirst: true, limit: maxFacts })
  const newest = [...facts].reverse()
  if (problem === undefined) return newest
  const first = reader.facts({ types, project, session, event: "prompt.submit", limit: 1 }).facts[0]
  return first === undefined || newest.some(({ id }) => id === first.id) ? newest : [first, ...newest]
}

const before = (reader: Reader, project: string, session: string): readonly Note[] =>
  notesIn(reader.facts({ ...noteFacts, project, session, limit: 1000 }).facts).filter(
    (note) => note.source === source && note.retracted === null
  )

/** What became of it: the text that now stands, or why there is none. */
export const storeSummary = async (
  reader: Reader,
  { cwd, project, session, state }: Summing
): Promise<{ readonly stored?: string; readonly skipped?: string }> => {
  const summary = summarise(factsOf(reader, project, session))
  if (isEmpty(summary)) return { skipped: "nothing was asked for or done" }
  const text = summaryText(summary, project)
  const notes = before(reader, project, session)
  if (notes.at(-1)?.text === text) return { skipped: "nothing is new" }
  const stored = await storeNote({ state, project, cwd, session, text, kind: "summary", source })
  if ("refused" in stored)
    return { skipped: `hook ${stored.refused.handler} refused it: ${stored.refused.reason}` }
  for (const { note } of notes) {
    const fact = { type: "NOTE_RETRACTED" as const, note, by: source, reason: "there is a newer one" }
    keep(state, { stream: noteStream(note), fact, marks: { project, session } }, dispatchSources)
  }
  return { stored: stored.note.text }
}
