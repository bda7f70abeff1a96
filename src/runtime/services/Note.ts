/** Notes as they stand: a fold over what was recorded of them. */
import type { MemoryFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"

/** What was said for a note or against it since it was stored. */
export interface NoteEvidence {
  readonly holds: boolean
  /** ISO 8601. */
  readonly at: string
  /** `operator`, or `hook <name>`. */
  readonly by: string
  /** `said`, `praised`, `checkpoint`, `corrected`; null where nobody told. */
  readonly because: string | null
  /** Where that was seen: an invocation, a checkpoint. */
  readonly from: string | null
  readonly session: string | null
}

export interface Note {
  readonly note: string
  /** ISO 8601. */
  readonly at: string
  readonly text: string
  readonly kind: string
  readonly tags: readonly string[]
  /** 0–1. */
  readonly importance: number | null
  readonly confidence: number | null
  /** `operator`, or `hook <name>`. */
  readonly source: string
  readonly project: string | null
  readonly session: string | null
  /** How often somebody said that it still holds. */
  readonly confirmed: number
  readonly confirmedAt: string | null
  /** What it was taken from: an invocation, a checkpoint. */
  readonly from: string | null
  /** In the order in which it was recorded, each piece once. */
  readonly evidence: readonly NoteEvidence[]
  /** Why it no longer holds: empty where nobody said. Null while it does. */
  readonly retracted: string | null
}

export const noteStream = (note: string): string => `note/${note}`

/** What to ask the log for: by the names of their streams they are found at once, however long the log is. */
export const noteFacts = {
  types: ["NOTE_RECORDED", "NOTE_CONFIRMED", "NOTE_DOUBTED", "NOTE_RETRACTED"],
  streamPrefix: noteStream("")
}

export const longestNote = 16_384

/** What is wrong with it, or nothing. */
export const noteProblem = (text: string): string | undefined => {
  if (text.trim() === "") return "a note needs a text"
  return text.length > longestNote
    ? `a note has at most ${longestNote} characters, this one has ${text.length}`
    : undefined
}

/** What is wrong with a kind or a tag, or nothing: it is a name, not a sentence. */
export const wordProblem = (word: string): string | undefined =>
  /^[\p{Letter}\p{Number}][\p{Letter}\p{Number}._/-]{0,39}$/u.test(word)
    ? undefined
    : `"${word}" is no name: letters, digits, ".", "_", "/" and "-", at most 40`

/** What of a fact tells of notes. `known` is left out by who has not looked at what it holds. */
type Told<F = unknown> = Pick<Recorded<F>, "type" | "data" | "at" | "project" | "session"> & {
  readonly known?: boolean
}

const isWhole = (data: unknown): boolean => {
  const { note, text, type } = data as { readonly [name: string]: unknown }
  return typeof note === "string" && (type !== "NOTE_RECORDED" || typeof text === "string")
}

const isKnown = (fact: Told): fact is Told<MemoryFact> =>
  noteFacts.types.includes(fact.type) && (fact.known ?? isWhole(fact.data))

const iso = (at: number): string => new Date(at).toISOString()

const recorded = (
  fact: Extract<MemoryFact, { type: "NOTE_RECORDED" }>,
  { at, project, session }: Told
): Note => ({
  note: fact.note,
  at: iso(at),
  text: fact.text,
  kind: fact.kind ?? "note",
  tags: fact.tags ?? [],
  importance: fact.importance ?? null,
  confidence: fact.confidence ?? null,
  source: fact.source ?? "operator",
  project: fact.project ?? project,
  session: fact.session ?? session,
  confirmed: 0,
  confirmedAt: null,
  from: fact.from ?? null,
  evidence: [],
  retracted: null
})

type Weighed = Extract<MemoryFact, { type: "NOTE_CONFIRMED" | "NOTE_DOUBTED" }>

const evidenceOf = (fact: Weighed, { at, session }: Told): NoteEvidence => ({
  holds: fact.type === "NOTE_CONFIRMED",
  at: iso(at),
  by: fact.by,
  because: fact.because ?? null,
  from: fact.from ?? null,
  session
})

/** In one session a note is said again once, however often; anything else counts once for what it was seen in. */
export const isSameEvidence = (
  one: Pick<NoteEvidence, "because" | "from" | "session">,
  other: Pick<NoteEvidence, "because" | "from" | "session">
): boolean => {
  if (one.because === null || one.because !== other.because) return false
  if (one.because === "said" && one.session !== null) return one.session === other.session
  return one.from !== null && one.from === other.from
}

const weighed = (note: Note, fact: Weighed, told: Told): Note => {
  const one = evidenceOf(fact, told)
  if (note.evidence.some((other) => isSameEvidence(one, other))) return note
  const evidence = [...note.evidence, one]
  return one.holds
    ? { ...note, evidence, confirmed: note.confirmed + 1, confirmedAt: one.at }
    : { ...note, evidence }
}

/** Every note, in the order in which they were stored, those that no longer hold among them. */
export const notesIn = (facts: Iterable<Told>): readonly Note[] => {
  const notes = new Map<string, Note>()
  for (const fact of facts) {
    if (!isKnown(fact)) continue
    const { data } = fact
    if (data.type === "NOTE_RECORDED") {
      if (!notes.has(data.note)) notes.set(data.note, recorded(data, fact))
      continue
    }
    const note = "note" in data ? notes.get(data.note) : undefined
    if (note === undefined) continue
    if (data.type === "NOTE_CONFIRMED" || data.type === "NOTE_DOUBTED")
      notes.set(note.note, weighed(note, data, fact))
    if (data.type === "NOTE_RETRACTED" && note.retracted === null)
      notes.set(note.note, { ...note, retracted: data.reason ?? "" })
  }
  return [...notes.values()]
}

/** Of `importance` and `confidence`. */
export const shareProblem = (name: string, value: unknown): string | undefined =>
  value === undefined || (typeof value === "number" && value >= 0 && value <= 1)
    ? undefined
    : `${name} is a number from 0 to 1`
