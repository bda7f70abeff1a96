/** Checkpoints as the command line draws them. */
import type { Checkpoint } from "../../../features/checkpoints/Checkpoint.ts"
import { clock, day, shortId, span } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Style } from "./style.ts"
import { table } from "./table.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const verdict = ({ quality, successful }: Checkpoint, style: Style): string =>
  style[successful ? "good" : "bad"](String(quality))

/** One sentence. */
export const checkpointLine = (one: Checkpoint, { style }: Drawing): string => {
  const { checkpoint, quality, refused } = one
  return refused === null
    ? `${style.good("✔")} ${shortId(checkpoint)} quality ${quality} of 100\n`
    : `${style.bad("✖")} ${shortId(checkpoint)} refused by ${printable(refused.by)}: ${printable(refused.reason)}\n`
}

const drawComponents = ({ components }: Pick<Checkpoint, "components">, { style, width }: Drawing): string =>
  table(
    [
      { title: "COMPONENT" },
      { title: "WEIGHT", align: "right" },
      { title: "SCORE", align: "right" },
      { title: "REASON" }
    ],
    components.map(({ name, reason, score, weight }) => [
      printable(name),
      score === undefined ? style.faint("–") : `${(weight * 100).toFixed(0)} %`,
      score === undefined ? style.faint("–") : String(score),
      score === undefined ? style.faint(printable(reason)) : printable(reason)
    ]),
    { style, width }
  )

/** How the work stands, where no checkpoint is taken. */
export const drawAssessment = (one: Pick<Checkpoint, "components" | "quality">, drawing: Drawing): string =>
  `quality ${one.quality} of 100 as the work stands; this takes no checkpoint\n\n${drawComponents(one, drawing)}`

export const drawCheckpoint = (one: Checkpoint, drawing: Drawing): string => {
  const at = Date.parse(one.at)
  const { branch, checkpoint, commit, session, trigger } = one
  const where = [branch, commit].filter((part) => part !== null).join(" ")
  const about = [
    `${day(at)} ${clock(at)}`,
    printable(trigger),
    ...(where === "" ? [] : [printable(where)]),
    ...(session === null ? [] : [`session ${printable(session)}`])
  ]
  return `${checkpointLine(one, drawing)}${drawing.style.faint(`${checkpoint} · ${about.join(" · ")}`)}\n\n${drawComponents(one, drawing)}`
}

export const drawCheckpoints = (all: readonly Checkpoint[], now: number, { style, width }: Drawing): string =>
  table(
    [
      { title: "CHECKPOINT" },
      { title: "QUALITY", align: "right" },
      { title: "AGE", align: "right" },
      { title: "TRIGGER" },
      { title: "" }
    ],
    all.map((one) => [
      shortId(one.checkpoint),
      verdict(one, style),
      span(now - Date.parse(one.at)),
      printable(one.trigger),
      one.refused === null
        ? printable([one.branch, one.commit].filter((part) => part !== null).join(" "))
        : style.warn(`refused: ${printable(one.refused.reason)}`)
    ]),
    { style, width }
  )
