/** What happened in one call, in one sentence. Pure. */

import { printable } from "../../state/terminalText.ts"
import type { Described } from "./describe.ts"
import type { DescribedJob } from "./describedJobs.ts"
import { subjectText } from "./subjectText.ts"
import { count, shortId } from "./words.ts"

type Kind = "good" | "bad" | "warn" | "quiet"

export interface Sentence {
  readonly kind: Kind
  readonly text: string
  /** Why, in the words of whoever decided or failed. */
  readonly reason: string | null
}

/** `Bash "git push -f"`, or the event where it was about nothing else. */
const aboutOf = (described: Described): string => {
  const { agentEvent, events, project, subject, tool } = described
  const event = printable(agentEvent ?? "?")
  const text = subjectText({
    event: events[0] ?? null,
    project,
    subject,
    tool: tool === null ? null : { name: tool.name, kind: tool.kind, use: null }
  })
  return text === "" ? event : tool === null ? `${event} (${text})` : text
}

const hangingIn = ({ handlers, states }: Described): string => {
  const running = handlers.find(({ outcome }) => outcome === "running")
  return running === undefined
    ? `while it was ${states.at(-1)?.state ?? "beginning"}`
    : `while the hook ${printable(running.handler)} ran`
}

const unheardReason = ({ delivered }: Described): string | null =>
  delivered?.channels.find(({ channel }) => channel === "undeliverable")?.reason ?? null

const ranOf = ({ handlers }: Described): string => {
  const ran = handlers.filter(({ outcome }) => outcome === "succeeded").length
  return ran === 0 ? "No hook ran at" : `${count(ran, "hook")} ran and had nothing to say about`
}

/** `a`, `a and b`, `a, b and c` */
const listed = (names: readonly string[]): string => {
  const all = names.map(printable)
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`
}

const failedJobs = ({ jobs }: Described): readonly DescribedJob[] =>
  jobs.filter(({ error, state }) => state === "dead" || (state === "waiting" && error !== undefined))

/** What became of the work after the reply: of that nobody hears who looks at the call alone. */
const afterwards = (described: Described): string => {
  const { jobs } = described
  const ofState = (state: DescribedJob["state"]): string =>
    listed([
      ...new Set(
        failedJobs(described)
          .filter((one) => one.state === state)
          .map(({ handler }) => handler)
      )
    ])
  const [dead, waiting] = [ofState("dead"), ofState("waiting")]
  const parts = [
    ...(dead === "" ? [] : [`${dead} failed`]),
    ...(waiting === "" ? [] : [`${waiting} failed so far`])
  ]
  const went = `; ${count(jobs.length, "job")} went on after the reply`
  if (parts.length > 0) return `${went}, and ${parts.join(", ")}`
  return jobs.length > 0 && described.outcome === "silent" ? went : ""
}

const answers = { allowed: ", who allowed it", refused: ", who refused" } as const

const sentenceOfCall = (described: Described): Sentence => {
  const { answered, answeredBy, deciders, decision, outcome, reason } = described
  const about = aboutOf(described)
  const by = printable(described.by ?? "hooktape")
  const all = deciders.length === 0 ? by : listed(deciders)
  const wentOn = decision === null ? "; the agent went on" : ""
  switch (outcome) {
    case "blocked":
      return { kind: "bad", text: `${all} blocked ${about}`, reason }
    case "asked":
      return {
        kind: "warn",
        text: `${all} had the user asked about ${about}${answered === undefined ? "" : answers[answered]}`,
        reason
      }
    case "failed":
      return { kind: "warn", text: `${by} failed at ${about}${wentOn}`, reason }
    case "late":
      return { kind: "warn", text: `${by} was not done in time at ${about}${wentOn}`, reason }
    case "unheard":
      return {
        kind: "warn",
        text: `${by} wanted to decide about ${about}, and the agent could not be told`,
        reason: unheardReason(described) ?? reason
      }
    case "undelivered":
      return { kind: "bad", text: `The reply to ${about} was not taken`, reason }
    case "rejected":
      return { kind: "bad", text: `What came at ${about} was no payload of a hook`, reason }
    case "lost":
      return {
        kind: "bad",
        text: `Lost: ${about} was killed ${hangingIn(described)}, and nothing was delivered`,
        reason: null
      }
    case "open":
      return { kind: "quiet", text: `${about} is still running`, reason: null }
    case "replaced":
      return {
        kind: "quiet",
        text: `${about} was answered by ${shortId(answeredBy ?? "")} in its place`,
        reason: null
      }
    case "spoke":
      return { kind: "good", text: `${by} had something to say about ${about}`, reason }
    case "silent":
      return { kind: "quiet", text: `${ranOf(described)} ${about}`, reason: null }
  }
}

export const sentenceOf = (described: Described): Sentence => {
  const { kind, reason, text } = sentenceOfCall(described)
  const [failed] = failedJobs(described)
  const isWorse = failed !== undefined && (kind === "good" || kind === "quiet")
  return {
    kind: isWorse ? "warn" : kind,
    text: text + afterwards(described),
    reason: reason ?? (failed?.error === undefined ? null : `${failed.error.name}: ${failed.error.message}`)
  }
}
