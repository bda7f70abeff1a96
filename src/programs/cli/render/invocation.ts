/** One invocation as `hooktape show` draws it: what happened, what it was about, who had a say, and whom each word reached. */

import {
  type Delivered,
  type Described,
  type DescribedHandler,
  totalMs
} from "../../../features/timeline/describe.ts"
import type { DescribedJob } from "../../../features/timeline/describedJobs.ts"
import { intentText, type Reached, reachedBy } from "../../../features/timeline/reached.ts"
import { sentenceOf } from "../../../features/timeline/sentence.ts"
import { tellingFrames } from "../../../features/timeline/sourceStack.ts"
import { parsedPayload, toolInputIn } from "../../../features/timeline/subject.ts"
import { bytes, clock, count, day, inline, milliseconds, shortId } from "../../../features/timeline/words.ts"
import { cut } from "../../../redact/cut.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { pad, type Style } from "./style.ts"
import { table } from "./table.ts"
import { hanging, pieces, wrapped } from "./wrap.ts"

export interface Drawing {
  readonly style: Style
  readonly width: number | undefined
  /** The exact bytes that came and went, in place of their number. */
  readonly raw?: boolean
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

/** What it wanted of the action, or that it had something else to say. */
const saidText = ({ chain, intents }: DescribedHandler): string => {
  const said = intents.map((intent) =>
    intent.type === "MODEL_CONTEXT" && intent.permission !== undefined
      ? `${intent.type} (${intent.permission})`
      : intent.type
  )
  return [...said, ...(chain === undefined ? [] : [`chain ${printable(chain)}`])].join(", ")
}

const outcomeText = (handler: DescribedHandler): string => {
  const { attempts = 1, error, outcome, policy, reason } = handler
  if (outcome === "succeeded") return saidText(handler)
  const onFailure = policy === undefined ? "" : ` (on failure: ${policy})`
  const tries = attempts > 1 ? ` after ${attempts} attempts` : ""
  if (error) return printable(`${error.name}: ${error.message}`) + tries + onFailure
  if (outcome === "running") return "started, and never came back"
  if (outcome === "waiting") return "never started"
  return printable(`${outcome === "left" ? "left out: " : ""}${reason ?? outcome}`) + onFailure
}

const untitled = [{ title: "" }, { title: "" }, { title: "", align: "right" as const }, { title: "" }]

const handlerRow = (handler: DescribedHandler, { style }: Drawing): readonly string[] => {
  const [sign, paint] = signs[handler.outcome]
  const ms = handler.ms === null ? "" : milliseconds(handler.ms)
  return [
    `${indent}${style[paint](sign)} ${printable(handler.handler)}`,
    handler.event,
    ms,
    outcomeText(handler) + (handler.from === undefined ? "" : ` · ${style.quiet(printable(handler.from))}`)
  ]
}

const below = indent.repeat(3)

const serviceLines = ({ services = [] }: DescribedHandler, { style, width }: Drawing): readonly string[] =>
  services.map(({ error, ms, service, subject }) => {
    const asked = `${printable(service)} ${style.quiet(printable(subject))} ${style.faint(milliseconds(ms))}`
    const failed = error === undefined ? "" : ` ${style.warn(printable(error))}`
    return hanging(below, asked + failed, below.length + 2, width)
  })

const maxFrames = 8

const stackLines = (
  { error }: Pick<DescribedHandler, "error">,
  { style, width }: Drawing
): readonly string[] =>
  tellingFrames(error?.stack ?? "", maxFrames).map((frame) =>
    style.quiet(hanging(below, `at ${printable(frame)}`, below.length + 2, width))
  )

/** A line for each hook, and under it what it asked of the world and where it failed. */
const handlers = (described: Described, drawing: Drawing): string => {
  const rows = table(
    untitled,
    described.handlers.map((handler) => handlerRow(handler, drawing)),
    drawing
  )
  const heads = groupsOf(rows)
  return described.handlers
    .map((handler, at) => {
      const details = [...stackLines(handler, drawing), ...serviceLines(handler, drawing)]
      return (heads[at] ?? "") + details.map((line) => `${line}\n`).join("")
    })
    .join("")
}

/** The lines of a table by its rows: further lines of a row are indented deeper. */
const groupsOf = (rows: string): readonly string[] => rows.split(/^(?= {2}\S)/m).filter((row) => row !== "")

const intents = ({ intents: wanted }: Described, { style, width }: Drawing): string =>
  table(
    [{ title: "" }, { title: "" }, { title: "" }],
    wanted.map((one) => [indent + one.type, printable(one.handler), printable(intentText(one))]),
    { style, width }
  )

const reachedRow = ({ handler, how, text, whom }: Reached, { style }: Drawing): readonly string[] => [
  `${indent}${whom === "nobody" ? style.warn(`✖ ${whom}`) : whom}`,
  printable(handler),
  `${printable(text)} ${style.faint(`(${printable(how)})`)}`
]

/** More of an input is looked at with --raw. */
const maxInput = 600

const inputRows = (payload: string | null): readonly (readonly [string, string])[] => {
  const input = payload === null ? undefined : toolInputIn(parsedPayload(payload))
  return typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.entries(input).map(([name, value]) => [
        printable(name),
        cut(typeof value === "string" ? value : inline(value), maxInput)
      ])
    : []
}

/** What the call was about, field by field. */
const input = ({ payload, subject, tool }: Described, { width }: Drawing): string => {
  const rows = tool === null ? [] : inputRows(payload)
  if (rows.length === 0) return subject === null ? "" : `${hanging(indent, printable(subject), 2, width)}\n`
  const widest = Math.max(0, ...rows.map(([name]) => name.length))
  return rows
    .map(([name, value]) => {
      const head = `${indent}${pad(name, widest)}  `
      const lines = printableLines(value.trimEnd())
        .split("\n")
        .flatMap((line) => pieces(line, width === undefined ? undefined : width - head.length))
      return `${head}${lines.join(`\n${" ".repeat(head.length)}`)}\n`
    })
    .join("")
}

const stream = (name: string, text: string, { style, width }: Drawing): string => {
  if (text === "") return `${indent}${style.faint(pad(name, 9))}nothing\n`
  const lines = printableLines(text).replace(/\n$/, "").split("\n")
  const fitted = lines
    .flatMap((line) => pieces(line, width === undefined ? undefined : width - 4))
    .map((line) => `${indent}${style.faint("│")} ${line}`)
  return `${indent}${style.faint(pad(name, 9))}${bytes(Buffer.byteLength(text))}\n${fitted.join("\n")}\n`
}

const size = (name: string, text: string): string =>
  `${name} ${text === "" ? "nothing" : bytes(Buffer.byteLength(text))}`

const delivered = (reply: Delivered, drawing: Drawing): string => {
  const { raw = false, style } = drawing
  const code = reply.exitCode === 0 ? style.good("0") : style.warn(String(reply.exitCode))
  const failed = reply.error
    ? `${hanging(indent, style.bad(`not delivered: ${printable(reply.error.message)}`), 2, drawing.width)}\n`
    : ""
  if (!raw) {
    const sizes = [size("stdout", reply.stdout), size("stderr", reply.stderr)].join(" · ")
    return `${indent}exit ${code} · ${sizes} ${style.faint("(--raw shows them)")}\n${failed}`
  }
  return [
    `${indent}${style.faint(pad("exit", 9))}${code}\n`,
    stream("stdout", reply.stdout, drawing),
    stream("stderr", reply.stderr, drawing),
    failed
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

const headline = (described: Described, { style, width }: Drawing): string => {
  const { kind, reason, text } = sentenceOf(described)
  const why = reason === null ? [] : wrapped(printable(reason), width === undefined ? undefined : width - 2)
  return [
    ...wrapped(style.strong(kind === "quiet" ? `${text}.` : style[kind](`${text}.`)), width),
    ...why.map((line) => indent + line)
  ]
    .map((line) => `${line}\n`)
    .join("")
}

/** The agent's wait, which `hooktape log` has, where it is not what hooktape took. */
const waitRow = (
  { clientMs, waitMs }: Described,
  total: number | null
): readonly (readonly [string, string])[] => {
  if (waitMs === null || clientMs === undefined || waitMs === total) return []
  const before = `${milliseconds(clientMs)} until hooktape had the call`
  return [["waited", `${milliseconds(waitMs)}, as the agent had it: ${before}`]]
}

const jobText = ({ attempts, error, state }: DescribedJob, style: Style): string => {
  if (state === null) return "not on the log"
  const word = state === "dead" ? style.bad(state) : state === "waiting" ? style.warn(state) : state
  if (error === undefined || state === "done") return word
  return `${word} after ${count(attempts, "attempt")}: ${printable(`${error.name}: ${error.message}`)}`
}

/** A line for each job, and under one that failed the place in its author's file. */
const jobs = ({ jobs: all }: Described, drawing: Drawing): string => {
  const { style } = drawing
  const rows = table(
    [{ title: "" }, { title: "" }, { title: "" }, { title: "", align: "right" }, { title: "" }],
    all.map((one) => [
      `${indent}${printable(one.handler)}`,
      one.event,
      shortId(one.job),
      one.ms === null ? "" : milliseconds(one.ms),
      jobText(one, style)
    ]),
    drawing
  )
  const heads = groupsOf(rows)
  return all
    .map((one, at) => {
      const lines = one.state === "done" ? [] : stackLines(one, drawing)
      return (heads[at] ?? "") + lines.map((line) => `${line}\n`).join("")
    })
    .join("")
}

export const drawInvocation = (described: Described, drawing: Drawing): string => {
  const { style, width } = drawing
  const { agent, agentEvent, events, session, project, at, rejected, delivered: reply } = described
  const time = Date.parse(at)
  const total = totalMs(described)
  const what = printable(`${agent ?? "?"} ${agentEvent ?? "?"}`)
  const meaning = events.length > 0 ? style.faint(` = ${printable(events.join(" + "))}`) : ""
  const { payload } = described
  return [
    headline(described, drawing),
    "\n",
    fields(
      [
        ["event", what + meaning],
        ["invocation", described.invocation],
        ["session", session === null ? style.faint("none") : printable(session)],
        ["project", project === null ? style.faint("none") : printable(project)],
        ["at", `${day(time)} ${clock(time)}`],
        ...(described.route === undefined
          ? []
          : [["route", "answered by its client and left: no hook had a word on it"] as const]),
        ["took", total === null ? style.bad("unknown") : milliseconds(total)],
        ...waitRow(described, total)
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
    section("input", input(described, drawing), style),
    section("hooks", handlers(described, drawing), style),
    section(
      "reached",
      reply
        ? table(
            [{ title: "" }, { title: "" }, { title: "" }],
            reachedBy(reply.channels, described.intents).map((one) => reachedRow(one, drawing)),
            { style, width }
          )
        : "",
      style
    ),
    section("wanted", reply ? "" : intents(described, drawing), style),
    section("jobs", jobs(described, drawing), style),
    section("noise", noise(described, drawing), style),
    section(
      "payload",
      drawing.raw === true && payload !== null ? stream("stdin", payload, drawing) : "",
      style
    ),
    section("delivered", reply ? delivered(reply, drawing) : `${indent}${style.bad("nothing")}\n`, style)
  ].join("")
}
