/** Jobs as `hooktape jobs` draws them: a line for each, or one with all its attempts. */
import type { ChannelTaken } from "../../../../events/facts.ts"
import { tellingFrames } from "../../../features/timeline/sourceStack.ts"
import { clock, day, milliseconds, shortId, span } from "../../../features/timeline/words.ts"
import type { Attempt, Job, JobState } from "../../../jobs/Job.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { pad, type Style } from "./style.ts"
import { table } from "./table.ts"
import { hanging } from "./wrap.ts"

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const paints: Readonly<Record<JobState, keyof Style>> = {
  queued: "accent",
  running: "good",
  waiting: "warn",
  done: "quiet",
  dead: "bad",
  dropped: "quiet"
}

const stateText = ({ state }: Job, style: Style): string => style[paints[state]](state)

const whatText = ({ event, handler, kind }: Job): string =>
  printable(handler === null ? kind : `${handler}${event === null ? "" : ` (${event})`}`)

const nextText = ({ nextAt }: Job, now: number): string => {
  if (nextAt === null) return ""
  const left = Date.parse(nextAt) - now
  return left <= 0 ? "now" : `in ${span(left)}`
}

export const drawJobs = (jobs: readonly Job[], now: number, { style, width }: Drawing): string =>
  table(
    [
      { title: "STATE" },
      { title: "JOB" },
      { title: "WHAT" },
      { title: "FAILED" },
      { title: "NEXT" },
      { title: "AGE", align: "right" },
      { title: "WHY, LAST ERROR" }
    ],
    jobs.map((job) => [
      stateText(job, style),
      shortId(job.job),
      whatText(job),
      `${job.failures}/${job.maxAttempts}`,
      nextText(job, now),
      span(now - Date.parse(job.at)),
      printable(job.reason ?? job.error?.message ?? "")
    ]),
    { style, width }
  )

const indent = "  "

/** What its reason is one for. */
const why: Partial<Record<JobState, string>> = { dropped: "dropped" }

const fields = (rows: readonly (readonly [string, string])[], style: Style): string =>
  rows.map(([name, value]) => `${style.faint(pad(name, 11))}${value}\n`).join("")

const outcomeText = ({ error, ms, outcome, reason }: Attempt): string => {
  if (error) return printable(`${error.name}: ${error.message}`)
  if (outcome === "released") return printable(`given back: ${reason ?? ""}`)
  return outcome === "running" ? "not ended yet" : `done${ms === null ? "" : ` in ${milliseconds(ms)}`}`
}

const signs: Readonly<Record<Attempt["outcome"], readonly [string, keyof Style]>> = {
  succeeded: ["✔", "good"],
  failed: ["✖", "bad"],
  released: ["–", "warn"],
  running: ["…", "accent"]
}

const attempts = ({ history }: Job, { style, width }: Drawing): string =>
  table(
    [{ title: "" }, { title: "" }, { title: "" }],
    history.map((one) => {
      const [sign, paint] = signs[one.outcome]
      const at = Date.parse(one.startedAt)
      return [`${indent}${style[paint](sign)} ${one.attempt}`, `${day(at)} ${clock(at)}`, outcomeText(one)]
    }),
    { style, width }
  )

const noise = ({ history }: Job, style: Style): string =>
  history
    .flatMap((one) => (one.noise ?? []).map((heard) => ({ ...heard, attempt: one.attempt })))
    .map(
      ({ attempt, stream, text }) =>
        `${indent}${style.faint(`attempt ${attempt}, ${stream}`)}\n${printableLines(text)
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => `${indent}${indent}${line}\n`)
          .join("")}`
    )
    .join("")

/** What a background hook wanted, and where it went. */
const wanted = ({ result }: Job, { style, width }: Drawing): string => {
  const channels = (result as { readonly channels?: unknown } | null)?.channels
  if (!Array.isArray(channels)) return ""
  return table(
    [{ title: "" }, { title: "" }],
    (channels as readonly ChannelTaken[]).map(({ channel, intent, reason }) => [
      indent + printable(String(intent)),
      channel === "undeliverable"
        ? `${style.warn("✖ undeliverable")}: ${printable(reason ?? "")}`
        : `→ ${printable(String(channel))}`
    ]),
    { style, width }
  )
}

const section = (title: string, body: string, style: Style): string =>
  body === "" ? "" : `\n${style.strong(title)}\n${body}`

const maxFrames = 8

/** What went wrong, and where in its author's file. */
const lastError = (
  { message, name, stack = "" }: NonNullable<Job["error"]>,
  { style, width }: Drawing
): string => {
  const frames = tellingFrames(stack, maxFrames).map((frame) =>
    style.quiet(hanging(indent.repeat(2), `at ${printable(frame)}`, 6, width))
  )
  return [`${indent}${printableLines(`${name}: ${message}`).replaceAll("\n", `\n${indent}`)}`, ...frames]
    .map((line) => `${line}\n`)
    .join("")
}

export const drawJob = (job: Job, now: number, drawing: Drawing): string => {
  const { style } = drawing
  const at = Date.parse(job.at)
  const next = nextText(job, now)
  return [
    `${style.strong(whatText(job))} ${stateText(job, style)}${next === "" ? "" : ` ${style.faint(`next attempt ${next}`)}`}\n`,
    fields(
      [
        ["job", job.job],
        ["invocation", job.invocation === null ? style.faint("none") : printable(job.invocation)],
        ["project", job.project === null ? style.faint("none") : printable(job.project)],
        ["at", `${day(at)} ${clock(at)}`],
        ["failed", `${job.failures} of ${job.maxAttempts}`],
        ...(job.reason === null ? [] : [[why[job.state] ?? "held", printable(job.reason)] as const])
      ],
      style
    ),
    section("attempts", attempts(job, drawing), style),
    section("intents", wanted(job, drawing), style),
    section("noise", noise(job, style), style),
    section("last error", job.error?.stack === undefined ? "" : lastError(job.error, drawing), style)
  ].join("")
}
