/** What a good checkpoint stands for: the commands that went well, and what was said, since the one before. */
import type { Reader, ReadFact } from "../../log/reader.ts"
import { answersIn } from "./answers.ts"
import { type Learner, learn } from "./learn.ts"
import type { Outcome } from "./learned.ts"
import { readAfter } from "./learnFromAnswers.ts"
import { passedCommands } from "./passedCommands.ts"
import { type Pattern, patternKey, patternsIn } from "./patternsIn.ts"

const maxFacts = 4000
/** Of the newest answers; one checkpoint speaks for no more. */
const maxAnswers = 50
const maxPatterns = 30

const isCheckpoint = ({ type }: ReadFact): boolean => type === "CHECKPOINT_RECORDED"

/** `facts` in the order of the log: those of the session between this checkpoint and the one before. */
export const sinceLast = (
  facts: readonly ReadFact[],
  checkpoint: string,
  session: string | null
): readonly ReadFact[] => {
  const at = facts.findIndex(
    (fact) => isCheckpoint(fact) && (fact.data as { readonly checkpoint?: unknown }).checkpoint === checkpoint
  )
  const before = at < 0 ? facts : facts.slice(0, at)
  return before
    .slice(before.findLastIndex(isCheckpoint) + 1)
    .filter((fact) => fact.type === "PAYLOAD_BUFFERED" && (session === null || fact.session === session))
}

const unique = (patterns: readonly Pattern[]): readonly Pattern[] => [
  ...new Map(patterns.map((pattern) => [patternKey(pattern.text), pattern])).values()
]

export const learnCheckpoint = async (
  reader: Reader,
  learner: Learner,
  checkpoint: string
): Promise<Outcome> => {
  const { facts, problem, unreadable } = reader.facts({
    types: ["PAYLOAD_BUFFERED", "CHECKPOINT_RECORDED"],
    project: learner.project,
    newestFirst: true,
    limit: maxFacts
  })
  if (unreadable) return { off: problem ?? "the log cannot be read" }
  const since = sinceLast([...facts].reverse(), checkpoint, learner.session)
  const answers = answersIn(since).slice(-maxAnswers)
  const patterns = unique([
    ...passedCommands(since.map(({ data }) => data)),
    ...answers.flatMap(({ text }) => patternsIn(text)).reverse()
  ]).slice(0, maxPatterns)
  const known = await readAfter(reader, learner, answers)
  if (known.problem !== undefined) return { off: known.problem }
  return learn(learner, known, patterns, { because: "checkpoint", from: checkpoint })
}
