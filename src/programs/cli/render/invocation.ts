/** One invocation as `hooktape show` draws it: the way it took, who had a say, and where each word of it went. */
import type { ChannelTaken } from "../../../../events/facts.ts"
import type { Intent } from "../../../../events/intents.ts"
import { cut } from "../../../redact/cut.ts"
import { type Delivered, type Described, type DescribedHandler, totalMs } from "../describe.ts"
import { shortId } from "../refs.ts"
import { pad, printable, printableLines, type Style } from "./style.ts"
import { table } from "./table.ts"
import { bytes, clock, day, inline, milliseconds } from "./words.ts"
import { hanging, pieces, wrapped } from "./wrap.ts"

export interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const indent = "  "

const fields = (rows: readonly (readonly [string, string])[], style: Style): string =>
  rows.map(([name, value]) => `${style.faint(pad(name, 11))}${value}\n`).join("")

const section = (title: string, body: string, style: Style): string =>
  body === "" ? "" : `\n${style.strong(title)}\n${body}`

const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : indent + line))
    .join("\n")

/** `buffering 1.2 ms → handling 8.1 ms → emitting 0.4 ms → exiting`, and where a lost one broke off. */
const path = ({ answeredBy, states, lost }: Described, { style, width }: Drawing): string => {
  const last = states.length - 1
  const steps = states.map(({ state, ms }, at) => {
    const took = ms === null || state === "exiting" ? "" : ` ${style.faint(milliseconds(ms))}`
    return (lost && at === last ? style.bad(state) : style.accent(state)) + took
  })
  const stacked = width !== undefined && width < 72
  const line = stacked ? steps.join(`\n${indent}→ `) : steps.join(" → ")
  const end = lost
    ? ` ${style.bad("✖ lost: it never ended")}`
    : answeredBy === undefined
      ? ""
      : ` ${style.warn(`↪ answered by ${shortId(answeredBy)}: the host did not get its answer across`)}`
  return `\n${line}${end}\n`
}

const signs: Readonly<Record<DescribedHandler["outcome"], readonly [string, keyof Style]>> = {
  succeeded: ["✔", "good"],
  failed: ["✖", "bad"],
  "timed-out": ["✖", "bad"],
  skipped: ["–", "warn"],
  left: ["–", "quiet"],
  running: ["…", "bad"],
  waiting: ["·", "quiet"]
}

const outcomeText = ({ outcome, intents, chain, error, policy, reason }: DescribedHandler): string => {
  if (outcome === "succeeded") {
    const said = intents.map(({ type }) => type)
    return [...said, ...(chain === undefined ? [] : [`chain ${printable(chain)}`])].join(", ")
  }
  const onFailure = policy === undefined ? "" : ` (on failure: ${policy})`
  if (error) return printable(`${error.name}: ${error.message}`) + onFailure
  if (outcome === "running") return "started, and never came back"
  if (outcome === "waiting") return "never started"
  return printable(`${outcome === "left" ? "left out: " : ""}${reason ?? outcome}`) + onFailure
}

const untitled = [{ title: "" }, { title: "" }, { title: "", align: "right" as const }, { title: "" }]

const handlers = (described: Described, { style, width }: Drawing): string =>
  table(
    untitled,
    described.handlers.map((handler) => {
      const [sign, paint] = signs[handler.outcome]
      const ms = handler.ms === null ? "" : milliseconds(handler.ms)
      return [
        `${indent}${style[paint](sign)} ${printable(handler.handler)}`,
        handler.event,
        ms,
        outcomeText(handler)
      ]
    }),
    { style, width }
  )

const intentText = (intent: Intent): string => {
  switch (intent.type) {
    case "DIAGNOSTIC":
      return `${intent.level}: ${intent.message}`
    case "MODEL_CONTEXT": {
      const { text, permission, updatedInput, updatedOutput } = intent
      const parts = [
        ...(text === undefined ? [] : [text]),
        ...(permission === undefined ? [] : [`permission ${permission}`]),
        ...(updatedInput === undefined ? [] : [`input ${inline(updatedInput)}`]),
        ...(updatedOutput === undefined ? [] : [`output ${inline(updatedOutput)}`])
      ]
      return parts.join(" · ")
    }
    case "USER_HINT":
      return intent.text
    case "BLOCKING_FEEDBACK":
      return intent.reason
    case "EXIT_SIGNAL":
      return String(intent.code)
  }
}

const intents = ({ intents: wanted }: Described, { style, width }: Drawing): string =>
  table(
    [{ title: "" }, { title: "" }, { title: "" }],
    wanted.map((one) => [indent + one.type, printable(one.handler), printable(intentText(one))]),
    { style, width }
  )

const channel = (
  { intent, handler, channel: taken, reason }: ChannelTaken,
  style: Style
): readonly string[] => {
  const lost = taken === "undeliverable"
  const where = lost
    ? `${style.warn("✖ undeliverable")}: ${printable(reason ?? "")}`
    : `→ ${printable(taken)}`
  return [indent + intent, printable(handler), where]
}

const stream = (name: string, text: string, { style, width }: Drawing): string => {
  if (text === "") return `${indent}${style.faint(pad(name, 9))}nothing\n`
  const lines = printableLines(text).replace(/\n$/, "").split("\n")
  const fitted = lines
    .flatMap((line) => pieces(line, width === undefined ? undefined : width - 4))
    .map((line) => `${indent}${style.faint("│")} ${line}`)
  return `${indent}${style.faint(pad(name, 9))}${bytes(Buffer.byteLength(text))}\n${fitted.join("\n")}\n`
}

const delivered = (reply: Delivered, drawing: Drawing): string => {
  const { style } = drawing
  const code = reply.exitCode === 0 ? style.good("0") : style.warn(String(reply.exitCode))
  return [
    `${indent}${style.faint(pad("exit", 9))}${code}\n`,
    stream("stdout", reply.stdout, drawing),
    stream("stderr", reply.stderr, drawing),
    reply.error
      ? `${hanging(indent, style.bad(`not delivered: ${printable(reply.error.message)}`), 2, drawing.width)}\n`
      : ""
  ].join("")
}

/** What is longer is looked at elsewhere. */
const maxNoise = 4000

/** The beginning of what was heard, and what it is called where it is not all of it. */
const heardOf = (text: string, many: number): { readonly text: string; readonly part: string } => {
  if (text.length > maxNoise)
    return { text: cut(text, maxNoise), part: " (the beginning; --json shows what was kept)" }
  return { text, part: Buffer.byteLength(text) < many ? " (the beginning)" : "" }
}

const noise = ({ noise: heard }: Described, drawing: Drawing): string =>
  heard
    .map(({ stream: name, text, bytes: many, handler }) => {
      const { style } = drawing
      const whose = handler === undefined ? "" : ` · ${printable(handler)}`
      const { text: shown, part } = heardOf(text, many)
      const lines = printableLines(shown).replace(/\n$/, "")
      return `${indent}${style.faint(pad(name, 9))}${bytes(many)}${whose}${style.faint(part)}\n${indented(indented(lines))}\n`
    })
    .join("")

export const drawInvocation = (described: Described, drawing: Drawing): string => {
  const { style, width } = drawing
  const { agent, agentEvent, events, session, project, at, rejected, delivered: reply } = described
  const time = Date.parse(at)
  const total = totalMs(described)
  const title = `${style.strong(printable(`${agent ?? "?"} ${agentEvent ?? "?"}`))}${events.length > 0 ? style.faint(` = ${printable(events.join(" + "))}`) : ""}`
  const channels = reply?.channels ?? []
  return [
    `${wrapped(title, width).join(`\n${indent}`)}\n`,
    fields(
      [
        ["invocation", described.invocation],
        ["session", session === null ? style.faint("none") : printable(session)],
        ["project", project === null ? style.faint("none") : printable(project)],
        ["at", `${day(time)} ${clock(time)}`],
        ...(described.route === undefined
          ? []
          : [["route", "answered by its client and left: no hook had a word on it"] as const]),
        ["took", total === null ? style.bad("unknown") : milliseconds(total)]
      ],
      style
    ),
    path(described, drawing),
    rejected
      ? section(
          "rejected",
          `${hanging(indent, `${style.bad(rejected.reason)}: ${printable(rejected.detail)}`, 2, width)}\n`,
          style
        )
      : "",
    section("handlers", handlers(described, drawing), style),
    section("intents", intents(described, drawing), style),
    section(
      "channels",
      table(
        [{ title: "" }, { title: "" }, { title: "" }],
        channels.map((one) => channel(one, style)),
        { style, width }
      ),
      style
    ),
    section(
      "jobs",
      table(
        [{ title: "" }, { title: "" }, { title: "" }, { title: "" }],
        described.jobs.map(({ event, handler, job, state }) => [
          `${indent}${printable(handler)}`,
          event,
          shortId(job),
          state ?? "not on the log"
        ]),
        { style, width }
      ),
      style
    ),
    section("noise", noise(described, drawing), style),
    section("delivered", reply ? delivered(reply, drawing) : `${indent}${style.bad("nothing")}\n`, style)
  ].join("")
}
