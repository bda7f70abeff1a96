/** Notes for handlers: the newest, and those that share most words with a question. */

import type { NoteFound } from "../../hooks/Services.ts"
import type { Reader } from "../../log/reader.ts"
import { bounded } from "../../state/readFiles.ts"
import { type Note, noteFacts, notesIn } from "./Note.ts"

const usual = 10
const most = 100
/** Of notes, their confirmations and retractions. */
const maxFacts = 10_000

const shown = ({ at, kind, note, tags, text }: Note): NoteFound => ({ note, text, kind, tags, at })

const standing = (reader: Reader, project: string): readonly Note[] => {
  const { facts } = reader.facts({ ...noteFacts, project, limit: maxFacts })
  return notesIn(facts).filter(({ retracted }) => retracted === null)
}

export const listNotes = (reader: Reader, project: string, limit: number | undefined): readonly NoteFound[] =>
  standing(reader, project)
    .slice(-Math.max(1, bounded(limit, usual, most)))
    .reverse()
    .map(shown)

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{Letter}\p{Number}_]{3,}/gu) ?? [])

export const searchNotes = (
  reader: Reader,
  project: string,
  query: string,
  limit: number | undefined
): readonly NoteFound[] => {
  const asked = wordsOf(query)
  return standing(reader, project)
    .map((note) => {
      const words = wordsOf(`${note.text} ${note.tags.join(" ")} ${note.kind}`)
      return { note, shared: [...asked].filter((word) => words.has(word)).length }
    })
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || (a.note.at < b.note.at ? 1 : -1))
    .slice(0, Math.max(1, bounded(limit, usual, most)))
    .map(({ note }) => shown(note))
}
