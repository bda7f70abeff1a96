/** Stores a note, whoever wrote it: hooks see it before, and may change it or keep it from being stored. */
import type { MemoryFact } from "../../../events/facts.ts"
import { uuidv7 } from "../../../events/ids.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { Attributed } from "../../../machines/replyIntents.ts"
import { dispatch } from "../../runtime/dispatch/dispatch.ts"
import { keep } from "../../runtime/dispatch/keep.ts"
import { dispatchSources as sources } from "../../runtime/dispatch/sources.ts"
import {
  type Note,
  noteProblem,
  noteStream,
  notesIn,
  shareProblem,
  wordProblem
} from "../../runtime/services/Note.ts"

export interface NewNote {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly text: string
  /** Default `note`. */
  readonly kind?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** 0–1. */
  readonly importance?: number | undefined
  /** 0–1. */
  readonly confidence?: number | undefined
  readonly session?: string | undefined
  /** `operator`, or `hook <name>`. */
  readonly source: string
  /** What it was taken from: an invocation, a checkpoint. */
  readonly from?: string | undefined
  /** Where the note is to have an id that can be found again; else it gets one of its own. */
  readonly id?: string | undefined
}

export type Stored = {
  /** What hooks had to say besides. */
  readonly intents: readonly Attributed[]
} & (
  | { readonly note: Note }
  /** A hook does not want it. */
  | { readonly refused: { readonly handler: string; readonly reason: string } }
)

/** It cannot be stored as it is. */
export class BadNote extends Error {
  override readonly name = "BadNote"
}

const problemOf = ({ confidence, importance, kind, tags = [], text }: NewNote): string | undefined =>
  noteProblem(text) ??
  [...(kind === undefined ? [] : [kind]), ...tags].map(wordProblem).find((one) => one !== undefined) ??
  shareProblem("importance", importance) ??
  shareProblem("confidence", confidence)

const checked = (note: NewNote): NewNote => {
  const problem = problemOf(note)
  if (problem !== undefined) throw new BadNote(problem)
  return note
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

/** What the handlers made of it; what is no text where one belongs changes nothing. */
const patched = (note: NewNote, { importance, kind, tags, text }: JsonObject): NewNote => ({
  ...note,
  ...(typeof text === "string" ? { text } : {}),
  ...(typeof kind === "string" ? { kind } : {}),
  ...(isTexts(tags) ? { tags } : {}),
  ...(typeof importance === "number" ? { importance } : {})
})

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [name in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [name in K]?: V }

export const storeNote = async (wanted: NewNote): Promise<Stored> => {
  const { cwd, importance, kind = "note", project, session, source, state, tags = [], text } = checked(wanted)
  const asked = await dispatch({
    state,
    project,
    cwd,
    session,
    event: "reflection.before",
    data: { text, kind, tags, ...given("importance", importance), source }
  })
  const { blocks, intents, last, metadata } = asked
  if (blocks[0] !== undefined) return { refused: blocks[0], intents }
  const final = checked(patched(wanted, metadata))
  const id = wanted.id ?? uuidv7(sources.now(), sources.random(10))
  const fact: Extract<MemoryFact, { type: "NOTE_RECORDED" }> = {
    type: "NOTE_RECORDED",
    note: id,
    text: final.text,
    kind: final.kind ?? "note",
    source,
    ...given("importance", final.importance),
    ...given("confidence", final.confidence),
    ...((final.tags ?? []).length === 0 ? {} : given("tags", final.tags)),
    project,
    ...given("session", session),
    ...given("from", wanted.from)
  }
  const marks = { project, session: session ?? null }
  const draft = keep(state, { stream: noteStream(id), fact, cause: last, marks }, sources)
  const [note] = notesIn([draft])
  if (note === undefined) throw new Error("a note that was just written cannot be read")
  return { note, intents }
}
