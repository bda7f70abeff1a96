/** What an answer, and a person's word on it, mean for what is known: looked up on the log, then learned. */
import type { Reader } from "../../log/reader.ts"
import { type Answer, answerBefore } from "./answers.ts"
import { type Learner, learn } from "./learn.ts"
import type { Outcome } from "./learned.ts"
import { type Patterns, readPatterns } from "./patternNotes.ts"
import { patternsIn } from "./patternsIn.ts"

/** Where the last answer is looked for. */
const maxFacts = 200

export const learnAnswer = async (reader: Reader, learner: Learner, answer: Answer): Promise<Outcome> => {
  const patterns = patternsIn(answer.text)
  const known = readPatterns(reader, learner)
  if (known.problem !== undefined) return { off: known.problem }
  return learn(learner, known, patterns, { because: "said", from: answer.from })
}

/** What an answer says has to be known before it is judged: its own job may be late. */
export const readAfter = async (
  reader: Reader,
  learner: Learner,
  answers: readonly Answer[]
): Promise<Patterns> => {
  for (const answer of answers) {
    const outcome = await learnAnswer(reader, learner, answer)
    if ("off" in outcome) return { notes: new Map(), problem: outcome.off }
  }
  return readPatterns(reader, learner)
}

/** `invocation`: that of the prompt, which praises or corrects the answer before it. */
export const learnFeedback = async (
  reader: Reader,
  learner: Learner,
  { invocation, polarity }: { readonly invocation: string; readonly polarity: "positive" | "negative" }
): Promise<Outcome | undefined> => {
  if (learner.session === null) return undefined
  const { facts } = reader.facts({
    types: ["PAYLOAD_BUFFERED"],
    session: learner.session,
    project: learner.project,
    newestFirst: true,
    limit: maxFacts
  })
  const answer = answerBefore([...facts].reverse(), invocation)
  const patterns = answer === undefined ? [] : patternsIn(answer.text)
  if (answer === undefined || patterns.length === 0) return undefined
  const known = await readAfter(reader, learner, [answer])
  if (known.problem !== undefined) return { off: known.problem }
  const because = polarity === "positive" ? "praised" : "corrected"
  return learn(learner, known, patterns, { because, from: invocation })
}
