/** Chains as `hooktape chains` draws them: a line for each, or one whole with what was tried. */

import type { Attempt, Ending } from "../../../../machines/chain.ts"
import { type Chain, type Related, timesSeen } from "../../../features/chains/Chain.ts"
import { effectText, errorLine } from "../../../features/chains/fix.ts"
import type { Scored } from "../../../features/chains/similar.ts"
import { shortId } from "../refs.ts"
import { pad, printable, type Style } from "./style.ts"
import { table } from "./table.ts"
import { clock, count, day, span } from "./words.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const paints = {
  open: "bad",
  attempted: "warn",
  cleared: "warn",
  resolved: "good",
  suppressed: "warn",
  abandoned: "faint"
} as const

const stateText = ({ state }: Chain, style: Style): string => style[paints[state]](state)

const moment = (at: number): string => `${day(at)} ${clock(at)}`

export const drawChains = (chains: readonly Chain[], now: number, { style, width }: Drawing): string =>
  table(
    [
      { title: "CHAIN" },
      { title: "STATE" },
      { title: "FIX" },
      { title: "AGE", align: "right" },
      { title: "SEEN", align: "right" },
      { title: "TRIED", align: "right" },
      { title: "PROBLEM" }
    ],
    chains.map((chain) => [
      shortId(chain.id),
      stateText(chain, style),
      chain.ending?.grade ?? "",
      span(now - chain.opened),
      String(timesSeen(chain)),
      String(chain.attempts.length),
      printable(errorLine(chain))
    ]),
    { style, width }
  )

const attempted = (chain: Chain, { at, effects, helped, how }: Attempt, style: Style): readonly string[] => [
  helped ? style.good("✔") : style.bad("✖"),
  clock(at),
  `${effects.map((effect) => printable(effectText(effect, chain.project))).join(", ")}${style.faint(` · ${printable(how)}`)}`
]

const whereOf = ({ command, path, tool }: Chain["context"]): string | undefined =>
  [tool, command ?? path].filter((part) => part !== null).join(": ") || undefined

const beliefs = {
  A: "A: shown by evidence",
  B: "B: likely, not sure",
  C: "C: only what was done before"
} as const

const gone = ({ by, flaky, ms, shown }: Ending): string => {
  const how = shown === "proved" ? `by ${printable(by)}` : `not shown any more by ${printable(by)}`
  return `${how}, after ${span(ms)}${flaky ? "; nothing was done in between" : ""}`
}

const fixLine = ({ ending, project }: Chain): string | undefined =>
  ending === undefined || ending.fix.length === 0
    ? undefined
    : ending.fix.map((effect) => printable(effectText(effect, project))).join(", ")

const relationText = ({ earlier, relation }: Related): string | undefined =>
  earlier === null ? undefined : `${relation} of chain ${shortId(earlier.chain)}`

export const drawChain = (chain: Related, { style, width }: Drawing): string => {
  const { abandoned, agent, attempts, context, ending, id, opened, project, session } = chain
  const shown = (text: string | null | undefined) => (text ? printable(text) : undefined)
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["chain", id],
    ["state", stateText(chain, style)],
    ["opened", moment(opened)],
    ["seen", count(timesSeen(chain), "time")],
    ["in", shown(whereOf(context))],
    ["cwd", shown(context.cwd)],
    ["agent", shown(agent)],
    ["session", shown(session)],
    ["project", shown(project)],
    ["before", relationText(chain)],
    ["revealed", chain.revealedBy === null ? undefined : `when chain ${shortId(chain.revealedBy)} was gone`],
    ["gone", ending && gone(ending)],
    ["fix", fixLine(chain)],
    ["believed", ending && beliefs[ending.grade]],
    ["abandoned", abandoned && printable(abandoned.why)]
  ]
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${style.faint(pad(name, 11))}${value}\n`]
  )
  const rows = attempts.map((one) => attempted(chain, one, style))
  const tried =
    rows.length === 0
      ? ""
      : `\n${style.faint("tried")}\n${table([{ title: "" }, { title: "" }, { title: "" }], rows, { style, width })}`
  return `${lines.join("")}\n${printable(errorLine(chain))}\n${tried}`
}

export const drawScored = (found: readonly Scored[], now: number, { style }: Drawing): string =>
  found
    .map(({ chain, score }) => {
      const head = `${score.toFixed(2)} ${stateText(chain, style)} ${style.faint(`chain ${shortId(chain.id)} · ${span(now - chain.opened)} ago`)}`
      const steps = fixLine(chain)
      const by = printable(chain.ending?.by ?? "")
      const fix = steps === undefined ? [] : [`  ${style.good("fix")} ${steps}, then ${by} went well`]
      return [head, `  ${printable(errorLine(chain))}`, ...fix].join("\n")
    })
    .join("\n\n")
    .concat("\n")
