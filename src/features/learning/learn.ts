/** Keeps what answers say: a new pattern becomes a note, one that is known gets evidence for it or against it. */
import type { MemoryFact } from "../../../events/facts.ts"
import { redact } from "../../redact/redact.ts"
import { keep } from "../../runtime/dispatch/keep.ts"
import { dispatchSources } from "../../runtime/dispatch/sources.ts"
import { isSameEvidence, type Note, noteStream } from "../../runtime/services/Note.ts"
import { storeNote } from "../notes/storeNote.ts"
import { patternKind, startConfidence } from "./confidence.ts"
import { type Learned, nothingLearned } from "./learned.ts"
import { type Patterns, patternId } from "./patternNotes.ts"
import type { Pattern } from "./patternsIn.ts"

export interface Learner {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly session: string | null
  /** `hook <name>`. */
  readonly source: string
}

export type Because = "said" | "praised" | "checkpoint" | "corrected"

/** Where a pattern was seen. */
interface Seen {
  readonly because: Because
  /** The answer's invocation, or the checkpoint. */
  readonly from: string
}

/** Also where it was taken out on the way here. */
const hasSecret = (text: string): boolean => redact({ text }).text !== text || /\bredacted:[a-z]/.test(text)

const record = (learner: Learner, note: string, { because, from }: Seen): void => {
  const { project, session, source, state } = learner
  const about = { note, by: source, because, from }
  const fact: MemoryFact =
    because === "corrected" ? { type: "NOTE_DOUBTED", ...about } : { type: "NOTE_CONFIRMED", ...about }
  keep(state, { stream: noteStream(note), fact, marks: { project, session } }, dispatchSources)
}

const store = async (learner: Learner, pattern: Pattern, id: string, from: string): Promise<boolean> => {
  const { session, ...place } = learner
  const stored = await storeNote({
    ...place,
    id,
    from,
    text: pattern.text,
    kind: patternKind,
    tags: [pattern.about],
    confidence: startConfidence,
    ...(session === null ? {} : { session })
  })
  return !("refused" in stored)
}

const isNew = ({ evidence, from }: Note, seen: Seen, session: string | null): boolean =>
  from !== seen.from && !evidence.some((one) => isSameEvidence(one, { ...seen, session }))

/**
 * Doing it again changes nothing. What is praised or corrected has to be known; what is said, or stands at a good checkpoint, is
 * stored where it is not.
 */
export const learn = async (
  learner: Learner,
  { notes }: Patterns,
  patterns: readonly Pattern[],
  seen: Seen
): Promise<Learned> => {
  let learned: Learned = { ...nothingLearned, found: patterns.length }
  const count = (what: keyof Learned): void => {
    learned = { ...learned, [what]: learned[what] + 1 }
  }
  const stores = seen.because === "said" || seen.because === "checkpoint"
  for (const pattern of patterns) {
    const id = patternId(learner, pattern.text)
    const note = notes.get(id)
    if (note === undefined && stores && !hasSecret(pattern.text))
      count((await store(learner, pattern, id, seen.from)) ? "stored" : "left")
    else if (note === undefined || note.retracted !== null) count("left")
    else if (isNew(note, seen, learner.session)) {
      record(learner, id, seen)
      count(seen.because === "corrected" ? "doubted" : "confirmed")
    }
  }
  return learned
}
