/** How well the shipped hooks tell things apart, on the labelled tables of the tests, with every case that they get wrong. */
import { feedbackOf } from "../../src/agents/feedback.ts"
import { classify } from "../../src/features/guard/classify.ts"
import { patternsIn } from "../../src/features/learning/patternsIn.ts"
import { commands, place } from "../support/labelled/commands.ts"
import { prompts, unseen } from "../support/labelled/prompts.ts"
import { type Score, score } from "../support/labelled/score.ts"
import { statements, unseenStatements } from "../support/labelled/statements.ts"
import { terse } from "../support/labelled/terse.ts"

export interface Judged extends Score {
  readonly name: string
  /** It is part of a table that was counted before. */
  readonly isPart?: true
}

const polarityOf = (prompt: string): string | null => feedbackOf(prompt)?.polarity ?? null

/** Every second row of these tables was looked at while the patterns were made. */
const keptBack = (_: unknown, nth: number): boolean => nth % 2 === 1

const aboutOf = (answer: string): string | null => patternsIn(answer)[0]?.about ?? null

export const judgeClassifiers = (): readonly Judged[] => [
  {
    name: "guard-destructive",
    ...score(commands, (command) => classify(command, place)?.rule ?? null)
  },
  { name: "feedback", ...score(prompts, polarityOf) },
  { name: "feedback, never tuned on", ...score(unseen.filter(keptBack), polarityOf), isPart: true },
  { name: "feedback, terse", ...score(terse, polarityOf) },
  { name: "feedback, terse, kept back", ...score(terse.filter(keptBack), polarityOf), isPart: true },
  { name: "learn", ...score(statements, aboutOf) },
  { name: "learn, never tuned on", ...score(unseenStatements, aboutOf) }
]

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

export const classifierRows = (judged: readonly Judged[]): readonly string[] => [
  `${"".padEnd(28)} ${["cases", "precision", "recall", "wrong"].map((word) => word.padStart(11)).join(" ")}`,
  ...judged.map(({ name, size, precision, recall, wrong }) =>
    [
      name.padEnd(28),
      ...[`${size}`, percent(precision), percent(recall), `${wrong.length}`].map((cell) => cell.padStart(11))
    ].join(" ")
  ),
  ...judged
    .filter(({ isPart }) => isPart === undefined)
    .flatMap(({ name, wrong }) => [
      "",
      `${name} gets wrong:`,
      ...wrong.map(
        ({ text, label, given }) =>
          `  ${JSON.stringify(text)}: ${given ?? "nothing"}, and is ${label ?? "nothing"}`
      )
    ])
]
