/** One session as one HTML page: to be printed, kept or sent, without a server, a script or anything from elsewhere. Pure. */
import type { Call } from "../../timeline/Call.ts"
import { clock, count, day, milliseconds, roughly, span } from "../../timeline/words.ts"
import type { SessionDetail, SessionTool, Turn } from "../contract/session.ts"
import { type Html, html, none } from "./html.ts"
import { reportStyle } from "./reportStyle.ts"

export interface ReportedSession {
  readonly detail: SessionDetail
  /** Its calls in which a hook stopped, asked or broke something, the oldest first. */
  readonly calls: readonly Call[]
  /** Of hooktape. */
  readonly version: string
  /** Milliseconds since 1970. */
  readonly now: number
}

const longest = 600

const cut = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest)} …`)

const moment = (at: number): string => `${day(at)} ${clock(at).slice(0, 8)}`

interface Column {
  readonly title: string
  readonly isNumber?: boolean
}

const table = (columns: readonly Column[], rows: readonly (readonly (Html | string | number)[])[]): Html => {
  const look = ({ isNumber }: Column): string => (isNumber === true ? "number" : "")
  return html`<table><thead><tr>${columns.map((one) => html`<th scope="col" class="${look(one)}">${one.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, at) => html`<td class="${look(columns[at] ?? { title: "" })}">${cell}</td>`)}</tr>\n`)}</tbody></table>`
}

const section = (title: string, body: Html): Html => html`<section><h2>${title}</h2>${body}</section>\n`

const outcomeWords: Readonly<Record<Call["outcome"], string>> = {
  silent: "",
  spoke: "spoke",
  blocked: "blocked",
  asked: "asked you",
  failed: "failed",
  late: "was late",
  unheard: "was not heard",
  undelivered: "not delivered",
  rejected: "no payload",
  open: "running",
  lost: "lost",
  replaced: "answered elsewhere"
}

interface Telling extends Pick<Call, "by" | "reason"> {
  readonly look: Call["outcome"]
  readonly word: string
}

/** How it came out, where that is worth a line, then what failed after its reply. */
const tellingOf = ({ by, jobs, outcome, reason }: Call): readonly Telling[] => [
  ...(outcome === "silent" || outcome === "spoke"
    ? []
    : [{ by, look: outcome, reason, word: outcomeWords[outcome] }]),
  ...jobs
    .filter(({ state }) => state === "dead")
    .map(({ error, hook }) => ({
      by: hook,
      look: "failed" as const,
      reason: error,
      word: "failed after the reply"
    }))
]

const stopped = (calls: readonly Call[]): Html =>
  calls.length === 0
    ? section("What hooks stopped, and what broke", html`<p>Nothing.</p>`)
    : section(
        "What hooks stopped, and what broke",
        table(
          [{ title: "When" }, { title: "Event" }, { title: "What" }, { title: "Hook" }, { title: "Why" }],
          calls.flatMap((call) =>
            tellingOf(call).map(({ by, look, reason, word }) => [
              clock(call.at).slice(0, 8),
              call.agentEvent ?? "",
              html`<code>${cut(call.subject ?? "")}</code>`,
              html`<span class="${look}">${word}</span> ${by}`,
              cut(reason ?? "")
            ])
          )
        )
      )

const resultOf = ({ before, ok, to, verdict }: SessionTool): string => {
  // What was blocked never ran: nobody will see its end.
  const block = before.find(({ outcome }) => outcome === "blocked")
  if (block !== undefined) return block.by === null ? "blocked" : `blocked by ${block.by}`
  if (verdict === "green") return "check passed"
  if (verdict === "red") return "check failed"
  if (to === null) return "no end seen"
  return ok === null ? "" : ok ? "ok" : "failed"
}

const toolTable = (tools: readonly SessionTool[]): Html =>
  tools.length === 0
    ? none
    : table(
        [
          { title: "When" },
          { title: "Tool" },
          { title: "What" },
          { title: "Result" },
          { title: "Waited for hooks", isNumber: true }
        ],
        tools.map((tool) => [
          clock(tool.from).slice(0, 8),
          tool.subagent === null ? tool.name : `${tool.name} (subagent)`,
          html`<code>${cut(tool.subject ?? "")}</code>`,
          resultOf(tool),
          roughly(tool.waitedMs)
        ])
      )

const turnSection = ({ began, last, prompt, tools: many, waitedMs }: Turn, nth: number, tools: Html): Html =>
  html`<article><h3>${nth}. ${prompt === null ? "A turn whose prompt no hook saw" : html`<q>${cut(prompt)}</q>`}</h3>
<p class="faint">${clock(began).slice(0, 8)}, ${span(last - began)}, ${count(many, "tool call")}, ${roughly(waitedMs)} waited for hooks</p>
${tools}</article>\n`

const turns = ({ omitted, tools, turns: all }: SessionDetail): Html => {
  const known = new Set(all.map(({ turn }) => turn))
  const stray = tools.filter(({ turn }) => turn === null || !known.has(turn))
  return section(
    "Turns",
    html`${omitted === 0 ? none : html`<p>The oldest ${count(omitted, "tool call")} are left out.</p>`}
${all.map((one, at) => turnSection(one, at + 1, toolTable(tools.filter(({ turn }) => turn === one.turn))))}
${stray.length === 0 ? none : html`<article><h3>Tool calls of no turn</h3>${toolTable(stray)}</article>`}`
  )
}

const hooks = ({ hooks: all }: SessionDetail): Html =>
  all.length === 0
    ? none
    : section(
        "What each hook cost",
        table(
          [
            { title: "Hook" },
            { title: "Runs", isNumber: true },
            { title: "Blocked", isNumber: true },
            { title: "Failed", isNumber: true },
            { title: "In all", isNumber: true },
            { title: "Slowest", isNumber: true }
          ],
          all.map(({ blocked, failed, hook, ms, runs, slowestMs }) => [
            hook,
            runs,
            blocked,
            failed,
            milliseconds(ms),
            milliseconds(slowestMs)
          ])
        )
      )

const checkpoints = ({ checkpoints: all }: SessionDetail): Html =>
  all.length === 0
    ? none
    : section(
        "Checkpoints",
        table(
          [{ title: "When" }, { title: "Quality", isNumber: true }, { title: "Taken" }, { title: "Why" }],
          all.map(({ at, quality, reasons, trigger }) => [moment(at), quality, trigger, reasons.join("; ")])
        )
      )

const figures = ({ checks, session, waitedShare }: SessionDetail): Html => {
  const share = waitedShare === null ? "" : `, ${(waitedShare * 100).toFixed(1)} % of its time`
  const pairs: readonly (readonly [string, string | number])[] = [
    ["Turns", session.turns],
    ["Tool calls", session.tools],
    ["Hook calls", session.calls],
    ["Blocked", session.blocked],
    ["Calls in which a hook failed", session.failed],
    ["Checks", `${checks.green} passed, ${checks.red} failed, ${checks.unknown} unknown`],
    ["The agent waited", `${roughly(session.waitedMs)}${share}`]
  ]
  return html`<dl>${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>\n`
}

const stateWords = { working: "goes on", quiet: "is quiet", ended: "has ended" } as const

export const sessionReport = ({ calls, detail, now, version }: ReportedSession): string => {
  const { session } = detail
  const title = session.title === null ? `Session ${session.session}` : cut(session.title)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${reportStyle}</style></head><body>
<header><h1>${title}</h1>
<p>${session.agent}${session.project === null ? "" : ` in ${session.project}`}, ${moment(session.began)} to ${moment(session.last)}; it ${stateWords[session.state]}.
<span class="faint">${session.session}</span></p></header>
${figures(detail)}${stopped(calls)}${turns(detail)}${hooks(detail)}${checkpoints(detail)}
<footer>Written by hooktape ${version} on ${moment(now)}, from what hooks recorded. Secrets were taken out before it was recorded.</footer>
</body></html>
`.text
}
