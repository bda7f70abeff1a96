/** What a backtest came to, for people. */
import { count, day, milliseconds } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Backtest, HookResult, Reason, Sample, ShapeResult } from "../../../tools/backtest/Backtest.ts"
import { asCalled } from "./asCalled.ts"
import { cut, pad, type Style } from "./style.ts"

export interface BacktestDrawing {
  readonly style: Style
  readonly width: number | undefined
}

export interface BacktestAsked {
  readonly shipped: boolean
  /** How long it took. */
  readonly ms: number
  /** The directory that it was compared with. */
  readonly against: string | undefined
  /** Calls of before the time that nobody named. */
  readonly older: number
}

/** Where nothing says how wide a line may be. */
const longest = 240
const maxShapes = 10
const maxReasons = 3

const ruled = { allow: "allows", none: "says nothing", ask: "asks", block: "blocks" } as const
const ruledThen = { allow: "allowed", none: "nothing was said", ask: "asked", block: "blocked" } as const

const line = (text: string, { width }: BacktestDrawing): string => cut(text, width ?? longest)

const drawSample = (one: Sample, drawing: BacktestDrawing): string => {
  const subject = printable(one.subject.replace(/\s+/g, " "))
  const where =
    one.source === "transcript" ? "from a transcript" : asCalled(`hooktape show ${one.id.slice(-8)}`)
  const said = `${one.hook} ${ruled[one.now]}; then ${ruledThen[one.before]}`
  const reason = one.reason === null ? "" : `: ${printable(one.reason.replace(/\s+/g, " "))}`
  return [
    line(`    ${day(one.at)}  ${subject}`, drawing),
    line(`      ${drawing.style.faint(`${said}${reason}`)}`, drawing),
    line(`      ${drawing.style.faint(where)}`, drawing)
  ].join("\n")
}

const drawShape = ({ calls, first, kind, of, samples, shape }: ShapeResult, drawing: BacktestDrawing) => {
  const { style } = drawing
  const word = kind === "looser" ? style.bad("looser") : style.warn("stricter")
  const rest = first === calls ? "" : `, ${first} of them first in its turn`
  return [
    line(`  ${word}  ${style.strong(printable(shape))}`, drawing),
    `    ${style.faint(`${calls} of ${count(of, "call")} like it${rest}`)}`,
    ...samples.map((one) => drawSample(one, drawing))
  ].join("\n")
}

const drawReasons = (what: string, reasons: readonly Reason[], drawing: BacktestDrawing): string[] => {
  const told = reasons
    .slice(0, maxReasons)
    .map(({ times, what }) => `${printable(what.replace(/\s+/g, " "))} (${times})`)
  return told.length === 0 ? [] : [line(drawing.style.faint(`    ${what}: ${told.join(", ")}`), drawing)]
}

const drawHooks = (hooks: readonly HookResult[], drawing: BacktestDrawing): string => {
  const rows = hooks.map(
    ({ failed, failures, hook, looser, missing, ms, notReplayable, runs, same, stricter }) => {
      const parts = [
        count(runs, "call"),
        `${same} same`,
        `${stricter} stricter`,
        `${looser} looser`,
        ...(notReplayable === 0 ? [] : [`${notReplayable} not replayable`]),
        ...(failed === 0 ? [] : [`${failed} failed`]),
        ...(ms === null ? [] : [`${milliseconds(ms.p50)} a call, 95 % within ${milliseconds(ms.p95)}`])
      ]
      return [
        `  ${pad(printable(hook), Math.max(...hooks.map((one) => one.hook.length)))}  ${parts.join(" · ")}`,
        ...drawReasons("not replayable", missing, drawing),
        ...drawReasons("failed", failures, drawing)
      ].join("\n")
    }
  )
  return `BY HOOK\n${rows.join("\n")}\n`
}

const left = ({ older }: BacktestAsked): string =>
  older === 0 ? "" : `${count(older, "older call")} left out: --since 0`

const summary = (result: Backtest, asked: BacktestAsked, { style }: BacktestDrawing): string => {
  const { calls, firstInTurn, imported, looser, notReplayable, recorded, same, stricter, unshipped, untold } =
    result
  const isUntold = same + stricter + looser === 0 && notReplayable > 0
  const mark = looser > 0 ? style.bad("✖") : isUntold ? style.warn("!") : style.good("✔")
  const from = `${recorded} recorded by hooks, ${imported} from transcripts`
  const against = asked.against === undefined ? "" : `, compared with ${printable(asked.against)}`
  const per = result.ms === null ? "" : `, ${milliseconds(result.ms.p50)} a call`
  const failed = result.hooks.reduce((sum, one) => sum + one.failed, 0)
  const others = [
    ...(failed === 0 ? [] : [`${count(failed, "run")} of a hook failed`]),
    ...(notReplayable === 0 ? [] : [`${notReplayable} not replayable`]),
    ...(untold === 0 ? [] : [`${untold} were denied then, and nobody tells by whom`]),
    ...(unshipped === 0 ? [] : [`${unshipped} left out: payload not shipped`])
  ]
  const first =
    stricter + looser === 0
      ? ""
      : `  ${style.faint(
          `After the first that differs a turn may have gone another way. First in their turn: ${firstInTurn.stricter} stricter, ${firstInTurn.looser} looser.`
        )}\n`
  return [
    `${mark} ${count(calls, "hook call")} (${from})${against}: ${same} same, ${stricter} stricter, ${looser} looser${
      others.length === 0 ? "" : `; ${others.join("; ")}`
    }\n`,
    first,
    asked.older === 0 ? "" : `  ${style.faint(left(asked))}\n`,
    `  ${style.faint(`${milliseconds(asked.ms)} in all${per}. Nothing was run, written or sent.`)}\n`
  ].join("")
}

export const drawBacktest = (result: Backtest, asked: BacktestAsked, drawing: BacktestDrawing): string => {
  const { style } = drawing
  if (result.calls === 0 && result.unshipped === 0 && asked.older > 0)
    return `There are no calls of the last 30 days to ask about. ${left(asked)}\n`
  if (result.calls === 0 && result.unshipped === 0)
    return `There are no calls to ask about. ${asCalled(style.strong("hooktape import"))} takes in past sessions; --since and --all look further.\n`
  const shapes = result.shapes.slice(0, maxShapes).map((one) => drawShape(one, drawing))
  const more = result.shapes.length - maxShapes
  const title = asked.shipped ? "WHAT THE GUARDS WOULD HAVE STOPPED, OR ASKED ABOUT" : "WHAT DIFFERS"
  return [
    summary(result, asked, drawing),
    ...(shapes.length === 0 ? [] : [`\n${title}\n${shapes.join("\n")}\n`]),
    ...(more > 0 ? [`  ${style.faint(`and ${count(more, "shape")} more: --json has all`)}\n`] : []),
    ...(result.hooks.length === 0 ? [] : [`\n${drawHooks(result.hooks, drawing)}`])
  ].join("")
}
