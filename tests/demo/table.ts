/** The demo's table: one line per hook call, made of nothing but the log. */
import type { InvocationFact } from "../../events/facts.ts"
import { invocation } from "../../machines/invocation.ts"
import { frames } from "../../machines/step.ts"

/** A line of `hooktape log --json`, as far as the table needs it. */
export interface LogLine {
  readonly invocation: string | null
  readonly agent: string | null
  readonly agentEvent: string | null
  readonly session: string | null
  readonly data: unknown
}

interface Run {
  readonly id: string
  readonly agent: string
  readonly event: string
  session: string
  readonly facts: InvocationFact[]
}

type Kind = "blocked" | "failed" | "plain"

export interface Table {
  /** Headings and rows, in the order of the log. */
  readonly lines: readonly { readonly kind: Kind | "heading"; readonly text: string }[]
  readonly summary: readonly string[]
  readonly calls: number
  readonly lost: number
  /** Calls worth a closer look. */
  readonly blocked: string | undefined
}

const runsOf = (lines: readonly LogLine[]): readonly Run[] => {
  const runs = new Map<string, Run>()
  for (const { invocation: id, agent, agentEvent, session, data } of lines) {
    if (id === null) continue
    const run = runs.get(id) ?? { id, agent: agent ?? "", event: agentEvent ?? "", session: "", facts: [] }
    run.facts.push(data as InvocationFact)
    run.session ||= session ?? ""
    runs.set(id, run)
  }
  return [...runs.values()]
}

const pathOf = (facts: readonly InvocationFact[]): string => {
  const states = ["buffering", ...frames(invocation, facts).map(({ after }) => after)]
  return states.filter((state, at) => state !== states[at - 1]).join("→")
}

const outcomes: Readonly<Record<string, string>> = {
  HANDLER_SUCCEEDED: "✓",
  HANDLER_FAILED: "✗",
  HANDLER_TIMED_OUT: "⧖",
  HANDLER_SKIPPED: "–"
}

const handlersOf = (facts: readonly InvocationFact[]): string =>
  facts
    .flatMap((fact) =>
      "handler" in fact && Object.hasOwn(outcomes, fact.type)
        ? [`${fact.handler} ${outcomes[fact.type]}`]
        : []
    )
    .join(", ")

/** `stdout: hookSpecificOutput.additionalContext` → `stdout`; the whole of it is for `hooktape show`. */
const shortly = (channel: string): string =>
  (channel.split(":")[0] ?? "").replace(/^stderr and exit code (\d+)$/, "stderr + exit $1")

const channelsOf = (facts: readonly InvocationFact[]): string => {
  const taken = new Map<string, Set<string>>()
  const take = (channel: string, what: string) =>
    taken.set(channel, (taken.get(channel) ?? new Set()).add(what))
  for (const fact of facts) {
    if (fact.type === "NOISE_CAPTURED") take("log", "noise")
    if (fact.type !== "REPLY_DELIVERED" && fact.type !== "DELIVERY_FAILED") continue
    for (const { intent, channel } of fact.channels) take(shortly(channel), intent.split(".")[0] ?? intent)
  }
  return [...taken].map(([channel, what]) => `${channel}: ${[...what].join(", ")}`).join(" · ")
}

const msOf = (facts: readonly InvocationFact[]): number | undefined => {
  const exited = facts.find((fact) => fact.type === "EXITED")
  return exited && Object.values(exited.ms).reduce((sum, ms) => sum + ms, 0)
}

const kindOf = (facts: readonly InvocationFact[]): Kind => {
  const channels = facts.flatMap((fact) => (fact.type === "REPLY_DELIVERED" ? fact.channels : []))
  if (channels.some(({ channel, intent }) => intent === "BLOCKING_FEEDBACK" && channel !== "undeliverable"))
    return "blocked"
  return facts.some((fact) => fact.type === "HANDLER_FAILED") ? "failed" : "plain"
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const summaryOf = (runs: readonly Run[], lost: number): readonly string[] => {
  const having = (test: (fact: InvocationFact) => boolean) =>
    runs.filter(({ facts }) => facts.some(test)).length
  const wanted = (intent: string) =>
    having((fact) => fact.type === "HANDLER_SUCCEEDED" && fact.intents.some(({ type }) => type === intent))
  const times = runs.flatMap(({ facts }) => msOf(facts) ?? [])
  const { length } = runs
  const crashed = having(({ type }) => type === "HANDLER_FAILED")
  const noisy = having(({ type }) => type === "NOISE_CAPTURED")
  return [
    `${length} hook calls on the log, ${lost === 0 ? "each of them complete" : `${lost} of them lost`}; median ${median(times).toFixed(0)} ms`,
    `kept from the agents: ${crashed} crashes, ${noisy} times noise`,
    `given to them: ${wanted("BLOCKING_FEEDBACK")} blocks, ${wanted("MODEL_CONTEXT")} times context, ${wanted("USER_HINT")} words to the human`
  ]
}

const columns = ["invocation", "event", "path", "handlers", "intents by channel", "ms"] as const

export const tableOf = (log: readonly LogLine[]): Table => {
  const runs = runsOf(log)
  const rows = runs.map(({ id, event, facts }) => [
    id.slice(-8),
    event,
    pathOf(facts),
    handlersOf(facts),
    channelsOf(facts),
    msOf(facts)?.toFixed(0) ?? "lost"
  ])
  const widths = columns.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => (row[at] ?? "").length))
  )
  const draw = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        at === columns.length - 1 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
      )
      .join("  ")
  const lines: { kind: Kind | "heading"; text: string }[] = [{ kind: "heading", text: draw(columns) }]
  let above = ""
  for (const [at, { agent, session, facts }] of runs.entries()) {
    const group = `${agent} · session ${session.slice(-8)}`
    if (group !== above) lines.push({ kind: "heading", text: `── ${group}` })
    above = group
    lines.push({ kind: kindOf(facts), text: draw(rows[at] ?? []) })
  }
  const lost = runs.filter(({ facts }) => msOf(facts) === undefined).length
  const blocked = runs.find(({ facts }) => kindOf(facts) === "blocked")?.id
  return { lines, summary: summaryOf(runs, lost), calls: runs.length, lost, blocked }
}
