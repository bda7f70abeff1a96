/** How far a pattern is to be believed, 0 to 1: what speaks for it, what against it, and how long ago. Pure. */
import type { Note, NoteEvidence } from "../../runtime/services/Note.ts"

/** The kind of the notes that are patterns. */
export const patternKind = "pattern"

/** Of what was said once and has had no echo yet. */
export const startConfidence = 0.5

/** Below this nobody is told of a pattern unless a setting says so. */
export const leastConfidence = 0.3

/** How much the first word weighs against what comes later. */
const first = 2

/** An operator knows; a praise may have been meant for something else in the answer, and so may a correction. */
const weights: Readonly<Record<string, number>> = {
  said: 1,
  praised: 1.5,
  checkpoint: 0.75,
  corrected: 2
}
const operatorWeight = 3
const usualWeight = 1

const named = <A>(known: Readonly<Record<string, A>>, because: string | null): A | undefined =>
  because !== null && Object.hasOwn(known, because) ? known[because] : undefined

const weightOf = ({ because, by }: NoteEvidence): number =>
  by === "operator" ? operatorWeight : (named(weights, because) ?? usualWeight)

/** A person's word: the operator's, or what a prompt said of an answer. */
const isPersons = ({ because, by }: NoteEvidence): boolean =>
  by === "operator" || because === "praised" || because === "corrected"

/** More people's words are against it than for it: that a model says it again, or works well with it, is no answer to that. */
const isContested = (evidence: readonly NoteEvidence[]): boolean =>
  evidence.filter(isPersons).reduce((sum, { holds }) => sum + (holds ? -1 : 1), 0) > 0

/** After so long without a word for it, half of it is left. */
const halfLifeMs = 180 * 86_400_000

type Believed = Pick<Note, "at" | "confidence" | "evidence">

/**
 * The share of what speaks for it in all that was said, the first word counted like two; less, the longer ago the last word for it
 * was. More of what speaks for it never lowers it, more of what speaks against it never raises it, and their order does not matter.
 */
export const confidenceOf = ({ at, confidence, evidence }: Believed, now: number): number => {
  const start = Math.min(1, Math.max(0, confidence ?? startConfidence))
  let holding = start * first
  let doubting = (1 - start) * first
  let last = Date.parse(at)
  const contested = isContested(evidence)
  for (const one of evidence) {
    if (contested && one.holds && !isPersons(one)) continue
    if (one.holds) {
      holding += weightOf(one)
      last = Math.max(last, Date.parse(one.at))
    } else doubting += weightOf(one)
  }
  const age = Math.max(0, now - last)
  return (holding / (holding + doubting)) * 0.5 ** (age / halfLifeMs)
}

/** As it stands now: of a pattern with the confidence that it has come to. */
export const asOf = (note: Note, now: number): Note =>
  note.kind === patternKind
    ? { ...note, confidence: Math.round(confidenceOf(note, now) * 1000) / 1000 }
    : note

const words: Readonly<Record<string, string>> = {
  said: "said again",
  praised: "praised",
  checkpoint: "good checkpoint",
  corrected: "corrected"
}

/** In words, each kind with how often: `said again 2, corrected 1`. */
export const evidenceText = (evidence: readonly NoteEvidence[]): string => {
  const counts = new Map<string, number>()
  for (const { because, by, holds } of evidence) {
    const other = `${holds ? "confirmed" : "doubted"} by ${by}`
    const what = named(words, because) ?? other
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => `${what} ${count}`).join(", ")
}
