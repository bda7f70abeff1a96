/** How well the shipped hooks tell things apart, on the labelled tables of the tests, with every case that they get wrong. */
import { feedbackOf } from "../../src/adapters/feedback.ts"
import { classify } from "../../src/defaults/guard/classify.ts"
import { commands, place } from "../support/labelled/commands.ts"
import { prompts, unseen } from "../support/labelled/prompts.ts"
import { type Score, score } from "../support/labelled/score.ts"

export interface Judged extends Score {
  readonly name: string
}

const polarityOf = (prompt: string): string | null => feedbackOf(prompt)?.polarity ?? null

export const judgeClassifiers = (): readonly Judged[] => [
  {
    name: "guard-destructive",
    ...score(commands, (command) => classify(command, place)?.rule ?? null)
  },
  { name: "feedback", ...score(prompts, polarityOf) },
  { name: "feedback, never tuned on", ...score(unseen, polarityOf) }
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
  // What was never tuned on is part of the table above it.
  ...judged
    .slice(0, 2)
    .flatMap(({ name, wrong }) => [
      "",
      `${name} gets wrong:`,
      ...wrong.map(
        ({ text, label, given }) =>
          `  ${JSON.stringify(text)}: ${given ?? "nothing"}, and is ${label ?? "nothing"}`
      )
    ])
]
