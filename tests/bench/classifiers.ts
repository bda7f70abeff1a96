/** How well the shipped hooks tell things apart, on the labelled tables of the tests, with every case that they get wrong. */
import { classify } from "../../src/defaults/guard/classify.ts"
import { commands, place } from "../support/labelled/commands.ts"
import { type Score, score } from "../support/labelled/score.ts"

export interface Judged extends Score {
  readonly name: string
}

export const judgeClassifiers = (): readonly Judged[] => [
  {
    name: "guard-destructive",
    ...score(commands, (command) => classify(command, place)?.rule ?? null)
  }
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
  ...judged.flatMap(({ name, wrong }) => [
    "",
    `${name} gets wrong:`,
    ...wrong.map(
      ({ text, label, given }) =>
        `  ${JSON.stringify(text)}: ${given ?? "nothing"}, and is ${label ?? "nothing"}`
    )
  ])
]
