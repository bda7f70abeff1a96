/** Actors as `hooktape actors` draws them: a line for each, and a line for each of their steps. */

import { clock, shortId, span } from "../../../features/timeline/words.ts"
import type { ActorFrame, ActorView, Subject } from "../../../runtime/actors/ActorView.ts"
import { printable } from "../../../state/terminalText.ts"
import { pad, type Style } from "./style.ts"
import { table } from "./table.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const about = ({ agent, agentEvent, name, project }: Subject): string =>
  printable([agent, agentEvent, name, project].filter((one) => typeof one === "string").join(" · "))

const idOf = (stream: string): string => shortId(stream.split("/").at(-1) ?? stream)

export const drawActors = (actors: readonly ActorView[], now: number, { style, width }: Drawing): string =>
  table(
    [
      { title: "ACTOR" },
      { title: "ID" },
      { title: "STATE" },
      { title: "FOR", align: "right" },
      { title: "ABOUT" }
    ],
    actors.map((actor) => [
      actor.machine,
      idOf(actor.stream),
      actor.lost === true ? style.warn(`${actor.state}, lost`) : style.accent(actor.state),
      span(now - Date.parse(actor.since)),
      about(actor)
    ]),
    { style, width }
  )

/** The columns are as wide as most of what stands in them, so that lines that come one by one stand beneath each other. */
export const drawFrame = (frame: ActorFrame, { style }: Pick<Drawing, "style">): string => {
  const { after, at, before, command, fact, machine, refused, stream } = frame
  const step = refused
    ? style.warn(`${before}: not taken`)
    : before === after
      ? style.quiet(after)
      : `${style.quiet(before)} → ${style.accent(after)}`
  const asks = command === null ? "" : style.quiet(` · ${command}`)
  return `${style.faint(clock(Date.parse(at)))}  ${pad(machine, 10)}  ${style.faint(idOf(stream))}  ${pad(fact, 23)}  ${step}${asks}${style.faint(`  ${about(frame)}`).trimEnd()}\n`
}
