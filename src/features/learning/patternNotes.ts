/** Patterns are notes with an id that follows from what they say, so that the same statement is the same note wherever it is found. */

import type { Reader } from "../../log/reader.ts"
import { type Note, noteFacts, noteStream, notesIn } from "../../runtime/services/Note.ts"
import { digestOf } from "../../state/digest.ts"
import { digestKey } from "../../state/state.ts"
import { patternKind } from "./confidence.ts"
import { patternKey } from "./patternsIn.ts"

export interface PatternPlace {
  readonly state: string
  readonly project: string
}

const maxFacts = 10_000

const digest = (state: string, text: string): string => digestOf(digestKey(state), text)

/** Ids of one project's patterns begin alike: they are found by the names of their streams alone, however long the log is. */
const beginning = ({ project, state }: PatternPlace): string => {
  const hex = digest(state, `patterns of ${project}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8`
}

export const patternId = (place: PatternPlace, text: string): string => {
  const hex = digest(place.state, `pattern ${patternKey(text)}`)
  return `${beginning(place)}${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

/** Whether a note's id can be that of a pattern; its kind has the last word. */
export const mayBePattern = (place: PatternPlace): ((note: string) => boolean) => {
  const start = beginning(place)
  return (note) => note.startsWith(start)
}

export interface Patterns {
  /** By their ids, those that were retracted among them. */
  readonly notes: ReadonlyMap<string, Note>
  /** Why none can be learned or told: the log is there and cannot be read. */
  readonly problem?: string
}

export const readPatterns = (reader: Reader, place: PatternPlace): Patterns => {
  const { facts, problem, unreadable } = reader.facts({
    ...noteFacts,
    streamPrefix: noteStream(beginning(place)),
    newestFirst: true,
    limit: maxFacts
  })
  if (unreadable) return { notes: new Map(), problem: problem ?? "the log cannot be read" }
  const notes = notesIn([...facts].reverse()).filter(({ kind }) => kind === patternKind)
  return { notes: new Map(notes.map((note) => [note.note, note])) }
}
