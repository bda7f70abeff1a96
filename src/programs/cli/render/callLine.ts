/** One call as one line of `hooktape log`. */
import type { CallEnd } from "../../../../events/observedFacts.ts"
import type { Call } from "../../../features/timeline/Call.ts"
import { subjectText } from "../../../features/timeline/subjectText.ts"
import { clock, day, roughly, shortId, shortSession } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { LineOptions } from "./factLine.ts"
import { columnsOf, cut, pad, padStart, type Style } from "./style.ts"

interface Sign {
  readonly text: string
  readonly paint: keyof Style | undefined
}

const agentNames: Readonly<Record<string, string>> = { "claude-code": "claude", "gemini-cli": "gemini" }

const whoOf = ({ agent, session }: Call): string => {
  const name = agentNames[agent ?? ""] ?? agent ?? "?"
  return printable(session === null ? name : `${name}·${shortSession(session)}`)
}

const named = (sign: string, by: string | null): string => (by === null ? sign : `${sign} ${printable(by)}`)

const endSigns: Readonly<Record<CallEnd, Sign>> = {
  ok: { text: "", paint: undefined },
  failed: { text: "✖ failed", paint: "warn" },
  denied: { text: "⛔ denied", paint: "warn" },
  rejected: { text: "✖ refused by the agent", paint: "warn" },
  stopped: { text: "✖ stopped", paint: "warn" },
  running: { text: "… in the background", paint: "faint" },
  untold: { text: "", paint: undefined }
}

const endSign = (told: CallEnd, exitCode = 0): Sign => {
  const sign = endSigns[told]
  return exitCode === 0 ? sign : { paint: "warn", text: `${sign.text || "✖"} (exit code ${exitCode})` }
}

/** Work after the reply that was given up shows in no outcome of the call. */
const givenUp = ({ jobs, outcome }: Call): Sign | undefined => {
  const dead = jobs.filter(({ state }) => state === "dead").map(({ hook }) => hook)
  return dead.length > 0 && (outcome === "silent" || outcome === "spoke")
    ? { text: `✖ ${printable([...new Set(dead)].join(", "))} after the reply`, paint: "warn" }
    : undefined
}

/** Who spoke, or went wrong, with a sign that needs no colour. */
const signOf = (call: Call): Sign => givenUp(call) ?? signOfCall(call)

const signOfCall = (call: Call): Sign => {
  const { answeredBy, by, exitCode, outcome, told } = call
  if (told !== undefined) return endSign(told, exitCode)
  switch (outcome) {
    case "blocked":
      return { text: named("⛔", by), paint: "bad" }
    case "asked":
      return { text: named("?", by), paint: "warn" }
    case "failed":
      return { text: named("✖", by), paint: "warn" }
    case "late":
      return { text: `${named("✖", by)} late`, paint: "warn" }
    case "unheard":
      return { text: `${named("!", by)} not heard`, paint: "warn" }
    case "undelivered":
      return { text: "✖ not delivered", paint: "bad" }
    case "rejected":
      return { text: "✖ no payload", paint: "bad" }
    case "lost":
      return { text: "✖ lost", paint: "bad" }
    case "open":
      return { text: "… running", paint: "faint" }
    case "replaced":
      return { text: `↪ ${shortId(answeredBy ?? "")}`, paint: "faint" }
    case "spoke":
      return { text: named("→", by), paint: "good" }
    case "silent":
      return { text: "", paint: undefined }
  }
}

/** Columns that it takes at least to say anything of a subject. */
const leastSubject = 12

/** Signs are cut before subjects: a name is known by its beginning. What was done says more than with which tool. */
const fitted = (whole: string, bare: string, sign: string, room: number): readonly [string, string] => {
  const gap = sign === "" ? 0 : 1
  if (columnsOf(whole) + gap + columnsOf(sign) <= room) return [whole, sign]
  const subject = bare === "" ? whole : bare
  if (columnsOf(subject) + gap + columnsOf(sign) <= room) return [subject, sign]
  const forSign = Math.min(columnsOf(sign), Math.max(Math.floor(room / 2), room - columnsOf(subject) - gap))
  const forSubject = Math.max(leastSubject, room - forSign - gap)
  return [cut(subject, forSubject), cut(sign, room - forSubject - gap)]
}

/** By which `hooktape show` knows it. */
const refOf = ({ invocation, source }: Call): string =>
  source === undefined ? shortId(invocation) : pad(invocation, 8)

const wideEnough = 100
const leastForWho = 72

/** Names of events begin alike: `PermissionRequest`, `PermissionDenied`. */
const shortened = (name: string, columns: number): string => {
  if (columnsOf(name) <= columns) return name
  const half = Math.floor((columns - 1) / 2)
  return `${name.slice(0, columns - 1 - half)}…${name.slice(-half)}`
}

const namelessTool = ({ tool }: Call): Call["tool"] => (tool === null ? null : { ...tool, name: "" })

/** Columns of the same width on every line, so that lines that come one by one stand beneath each other. */
export const callLine = (call: Call, { style, width }: LineOptions): string => {
  const isNarrow = width !== undefined && width < wideEnough
  const time = clock(call.at).slice(0, 8)
  const sign = signOf(call)
  const took = roughly(call.waitMs)
  const event = call.source ?? printable(call.agentEvent ?? "?")
  const head = isNarrow
    ? [
        { text: time, paint: style.quiet },
        { text: refOf(call).slice(0, 6), paint: style.accent },
        // What was done and how it ended says more than who did it.
        ...(width < leastForWho ? [] : [{ text: pad(cut(whoOf(call), 11), 11), paint: undefined }]),
        { text: pad(shortened(event, 11), 11), paint: undefined }
      ]
    : [
        { text: `${day(call.at)} ${time}`, paint: style.quiet },
        { text: refOf(call), paint: style.accent },
        { text: pad(whoOf(call), 12), paint: undefined },
        { text: pad(event, 16), paint: undefined }
      ]
  const gap = isNarrow ? " " : "  "
  const subject = subjectText(call)
  const before = head.reduce((sum, { text }) => sum + columnsOf(text) + gap.length, 0)
  const tail = Math.max(isNarrow ? 7 : 8, columnsOf(took) + 1)
  const room = width === undefined ? undefined : width - before - tail
  const [about, by] =
    room === undefined
      ? [subject, sign.text]
      : fitted(subject, subjectText({ ...call, tool: namelessTool(call) }), sign.text, room)
  const paint = sign.paint === undefined ? style.quiet : style[sign.paint]
  const between = about === "" || by === "" ? "" : room === undefined ? gap : " "
  const middle = (call.outcome === "silent" ? style.quiet(about) : about) + between + paint(by)
  const used = columnsOf(about + between + by)
  const rest = room === undefined ? gap : " ".repeat(Math.max(0, room - used))
  return `${head.map(({ paint: show, text }) => (show === undefined ? text : show(text))).join(gap)}${gap}${middle}${rest}${style.faint(padStart(took, room === undefined ? 0 : tail))}`.trimEnd()
}

/** The public form of a call, one JSON document per line. */
export const callJson = (call: Call): string =>
  JSON.stringify({
    ...call,
    at: new Date(call.at).toISOString(),
    hooks: call.hooks.map((run) => ({ ...run, at: run.at === null ? null : new Date(run.at).toISOString() }))
  })
