/** Where things stand, as `hooktape` alone says it. Pure. */
import { settingsAgents } from "../../../agents/about.ts"
import type { Call } from "../../../features/timeline/Call.ts"
import type { HookHealth, Standing } from "../../../features/timeline/standing.ts"
import { count, milliseconds, roughly, shortId } from "../../../features/timeline/words.ts"
import { sorted } from "../../../runtime/builds/trustHint.ts"
import type { WithheldFile } from "../../../state/manifest.ts"
import { printable } from "../../../state/terminalText.ts"
import { asCalled } from "./asCalled.ts"
import { pad, type Style } from "./style.ts"
import { hanging } from "./wrap.ts"

export interface Today {
  readonly standing: Standing
  /** The newest call in which something failed before its reply. */
  readonly failed: Call | undefined
  /** The hook whose work after the reply was given up last. */
  readonly dead: string | undefined
  /** The hook with the longest runs. */
  readonly slowest: HookHealth | undefined
}

/** The hooks of this directory: how many are on, how many off, and the files of which none runs. */
export interface HooksHere {
  readonly on: number
  readonly off: number
  readonly withheld: readonly WithheldFile[]
}

export interface Overview {
  readonly version: string
  readonly records: readonly { readonly agent: string; readonly scope: string }[]
  /** None where nothing is built. */
  readonly hooks: HooksHere | undefined
  /** How many calls a running host has answered; undefined where none runs. */
  readonly host: { readonly pid: number; readonly served: number } | undefined
  /** None where nothing was ever recorded. */
  readonly today: Today | undefined
}

interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const agentsText = ({ records }: Overview): string =>
  records.length === 0
    ? "hooktape is registered with none"
    : [
        ...new Set(records.map(({ agent, scope }) => (scope === "user" ? agent : `${agent} (${scope})`)))
      ].join(", ")

const hooksText = ({ hooks }: Overview, style: Style): string => {
  if (hooks === undefined) return "none is built"
  const { off, on, withheld } = hooks
  const { broken, open } = sorted(withheld)
  const rest = withheld.length - broken.length - open.length
  const warned = (many: number, what: string): readonly string[] =>
    many === 0 ? [] : [style.warn(`${count(many, "file")} ${what}`)]
  return [
    `${on} on here`,
    ...(off === 0 ? [] : [`${off} off`]),
    ...warned(open.length, "not trusted"),
    ...warned(broken.length, broken.length === 1 ? "does not build" : "do not build"),
    ...warned(rest, "left out")
  ].join(", ")
}

const hostText = ({ host }: Overview): string =>
  host === undefined
    ? "none is running; the next hook starts one"
    : `process ${host.pid}, ${count(host.served, "call")} answered`

const todayText = ({ standing }: Today, style: Style): string => {
  const { asked, blocked, calls, dead, failed, lost, sessions } = standing
  if (calls === 0) return "no call"
  const coloured = (many: number, word: string, paint: (text: string) => string) =>
    many === 0 ? `0 ${word}` : paint(`${many} ${word}`)
  return [
    `${count(calls, "call")} in ${count(sessions, "session")}`,
    coloured(blocked, "blocked", style.bad),
    ...(asked === 0 ? [] : [`${asked} asked`]),
    coloured(failed, "failed", style.warn),
    coloured(lost, "lost", style.bad),
    ...(dead === 0 ? [] : [style.bad(`${count(dead, "job")} given up`)])
  ].join(" · ")
}

const slowestText = ({ slowest, standing }: Today): string | undefined => {
  if (slowest === undefined) return undefined
  const { hook, p95, runs, share } = slowest
  const part =
    share === null
      ? ""
      : `, ${Math.round(share * 100)} % of the ${roughly(standing.waitMs)} that agents waited`
  return `${printable(hook)}: ${milliseconds(p95)} at p95 of ${count(runs, "run")}${part}`
}

/** Who decided is not always who failed. */
const culpritOf = ({ hooks }: Call): string | undefined =>
  hooks.find(({ outcome }) => outcome === "failed" || outcome === "timed-out")?.hook

/** The first thing that is missing, or went wrong, or is worth a look. */
const nextOf = ({ hooks, records, today }: Overview): string => {
  if (records.length === 0)
    return `hooktape install --agent ${settingsAgents[0]}, or ${settingsAgents.slice(1).join(", ")}`
  if (hooks === undefined) return "hooktape build"
  const { broken, gone, open } = sorted(hooks.withheld)
  if (open.length + gone.length > 0) return "hooktape trust shows what changed, and lets it run"
  if (broken.length > 0) return "hooktape check says what does not build"
  if (hooks.withheld.length > 0) return "hooktape doctor says why a hook is left out"
  if (today === undefined || today.standing.calls === 0)
    return "use the agent as ever, then look with hooktape log"
  const { dead, failed, standing } = today
  if (failed !== undefined) {
    const culprit = culpritOf(failed)
    return `hooktape show ${shortId(failed.invocation)}${culprit === undefined ? "" : `: ${printable(culprit)} failed`}`
  }
  if (dead !== undefined)
    return `hooktape jobs list --state dead: work of ${printable(dead)} after the reply failed`
  if (standing.lost > 0) return "hooktape doctor: calls were lost"
  return standing.blocked > 0 ? "hooktape log --blocked" : "hooktape log"
}

export const drawOverview = (overview: Overview, { style, width }: Drawing): string => {
  const { today, version } = overview
  const slowest = today && slowestText(today)
  const rows: readonly (readonly [string, string])[] = [
    ["agents", agentsText(overview)],
    ["hooks", hooksText(overview, style)],
    ["host", hostText(overview)],
    ["today", today === undefined ? "nothing was recorded so far" : todayText(today, style)],
    ...(slowest === undefined ? [] : [["slowest", slowest] as const]),
    ["next", style.strong(asCalled(nextOf(overview)))]
  ]
  const lines = rows.map(([name, text]) => `${hanging(`${style.faint(pad(name, 8))} `, text, 9, width)}\n`)
  return `${style.strong("hooktape")} ${version}. "hooktape --help" lists the commands.\n\n${lines.join("")}`
}
