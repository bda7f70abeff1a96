/** Chains as `hooktape chains` draws them: a line for each, or one whole with what was tried. */

import type { Attempt } from "../../../../machines/chain.ts"
import type { Chain } from "../../../features/chains/Chain.ts"
import { errorLine } from "../../../features/chains/fix.ts"
import type { Scored } from "../../../features/chains/similar.ts"
import { shortId } from "../refs.ts"
import { pad, printable, printableLines, type Style } from "./style.ts"
import { table } from "./table.ts"
import { clock, count, day, span } from "./words.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const paints = { open: "bad", attempted: "warn", resolved: "good", abandoned: "faint" } as const

const stateText = ({ state }: Chain, style: Style): string => style[paints[state]](state)

const moment = (at: number): string => `${day(at)} ${clock(at)}`

export const drawChains = (chains: readonly Chain[], now: number, { style, width }: Drawing): string =>
  table(
    [
      { title: "CHAIN" },
      { title: "STATE" },
      { title: "AGE", align: "right" },
      { title: "TRIED", align: "right" },
      { title: "ERROR" }
    ],
    chains.map((chain) => [
      shortId(chain.id),
      stateText(chain, style),
      span(now - chain.opened),
      String(chain.attempts.length + chain.omitted),
      printable(errorLine(chain))
    ]),
    { style, width }
  )

const attempted = ({ at, helped, how, kind, what }: Attempt, style: Style): readonly string[] => [
  helped === null ? style.faint("?") : helped ? style.good("✔") : style.bad("✖"),
  clock(at),
  `${kind === "edit" ? "edited" : "ran"} ${printable(what)}${how === null ? "" : style.faint(` · ${printable(how)}`)}`
]

const whereOf = ({ command, path, tool }: Chain["context"]): string | undefined =>
  [tool, command ?? path].filter((part) => part !== null).join(": ") || undefined

const endOf = ({ abandoned, resolved }: Chain): readonly (readonly [string, string | undefined])[] => [
  ["resolved", resolved && `by ${printable(resolved.by)}, after ${span(resolved.ms)}`],
  ["abandoned", abandoned && printable(abandoned.why)]
]

export const drawChain = (chain: Chain, { style, width }: Drawing): string => {
  const { agent, attempts, context, id, message, omitted, project, seen, session, signature } = chain
  const shown = (text: string | null | undefined) => (text ? printable(text) : undefined)
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["chain", id],
    ["state", stateText(chain, style)],
    ["opened", moment(chain.opened)],
    ["seen", count(seen, "time")],
    ["in", shown(whereOf(context))],
    ["cwd", shown(context.cwd)],
    ["agent", shown(agent)],
    ["session", shown(session)],
    ["project", shown(project)],
    ["signature", shown(signature)],
    ...endOf(chain)
  ]
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${style.faint(pad(name, 11))}${value}\n`]
  )
  const rows = attempts.map((one) => attempted(one, style))
  const tried =
    rows.length === 0
      ? ""
      : `\n${style.faint(omitted === 0 ? "tried" : `tried, after ${count(omitted, "other")}`)}\n${table([{ title: "" }, { title: "" }, { title: "" }], rows, { style, width })}`
  return `${lines.join("")}\n${printableLines(message).trimEnd()}\n${tried}`
}

const helped = ({ attempts, resolved }: Chain): string => {
  const done = attempts.filter((one) => one.helped === true)
  const what = done.map(({ kind, what }) => `${kind === "edit" ? "edited" : "ran"} ${printable(what)}`)
  return [...what.slice(-5), `then ${printable(resolved?.by ?? "")} went well`].join(", ")
}

export const drawScored = (found: readonly Scored[], now: number, { style }: Drawing): string =>
  found
    .map(({ chain, score }) => {
      const head = `${score.toFixed(2)} ${stateText(chain, style)} ${style.faint(`chain ${shortId(chain.id)} · ${span(now - chain.opened)} ago`)}`
      const fix = chain.resolved ? [`  ${style.good("fix")} ${helped(chain)}`] : []
      return [head, `  ${printable(errorLine(chain))}`, ...fix].join("\n")
    })
    .join("\n\n")
    .concat("\n")
