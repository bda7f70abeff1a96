/** One fact as one line of `hooktape log`. */
import type { Fact } from "../../../../events/facts.ts"
import { invocationOf } from "../../../../events/invocationOf.ts"
import { observedPrefix } from "../../../../events/observedStream.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { said, type Told, tell } from "../../../features/timeline/factWords.ts"
import { clock, day, inline, shortId } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { cut, pad, type Style } from "./style.ts"

const told = ({ known, data }: Recorded): Told =>
  known ? tell(data as Fact) : { kind: "quiet", text: `unknown to this version: ${said(inline(data))}` }

const ofCall = (stream: string): string =>
  stream.startsWith("invocation/")
    ? shortId(stream)
    : stream.split("/")[0] === "operator"
      ? "operator"
      : stream.slice(-8)

/** What an agent's transcript tells is its session's. */
const sessionOf = (stream: string): string => stream.slice(stream.lastIndexOf("/") + 1).slice(0, 8)

const whoseId = (stream: string): string =>
  stream.startsWith(observedPrefix) ? sessionOf(stream) : ofCall(stream)

export interface LineOptions {
  readonly style: Style
  readonly width: number | undefined
}

/** Columns of the same width on every line, so that lines that come one by one stand beneath each other. */
export const factLine = (recorded: Recorded, { style, width }: LineOptions, remark = ""): string => {
  const { kind, text } = told(recorded)
  const narrow = width !== undefined && width < 100
  const paint = kind === "plain" ? (one: string) => one : style[kind]
  const when = narrow ? clock(recorded.at) : `${day(recorded.at)} ${clock(recorded.at)}`
  const who = [recorded.agent, recorded.agentEvent].filter((word) => word !== null).join(" ")
  const head = [
    { text: when, show: style.quiet },
    { text: pad(whoseId(recorded.stream), 8), show: style.accent },
    ...(narrow ? [] : [{ text: pad(printable(who), 26), show: (one: string) => one }]),
    { text: pad(printable(recorded.type), 17), show: paint }
  ]
  const used = head.reduce((sum, { text: one }) => sum + one.length + 1, 0) + 1
  // There is no room for who it was on every line; the line an invocation begins with has it.
  // Names of hooks, handlers and events are a stranger's as well.
  const all = text + remark
  const whole = printable(narrow && recorded.type === "INVOCATION_OPENED" ? `${who} ${all}` : all)
  const rest = width === undefined ? whole : cut(whole, Math.max(8, width - used))
  return `${head.map(({ text: one, show }) => show(one)).join(" ")} ${kind === "quiet" ? style.quiet(rest) : rest}`.trimEnd()
}

/** The public form of a fact, one JSON document per line. */
export const factJson = (recorded: Recorded): string => {
  const { position, id, stream, version, type, at, agent, agentEvent, event, session, cause, data } = recorded
  const invocation = invocationOf(recorded)
  const when = new Date(at).toISOString()
  return JSON.stringify({
    position,
    id,
    stream,
    version,
    type,
    at: when,
    agent,
    agentEvent,
    event,
    session,
    invocation,
    cause,
    data
  })
}
