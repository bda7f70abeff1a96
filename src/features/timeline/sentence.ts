/** What happened in one call, in one sentence. Pure. */

import { printable } from "../../state/terminalText.ts"
import type { Described } from "./describe.ts"
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

export const sentenceOf = (described: Described): Sentence => {
  const { answeredBy, decision, outcome, reason } = described
  const about = aboutOf(described)
  const by = printable(described.by ?? "hooktape")
  const wentOn = decision === null ? "; the agent went on" : ""
  switch (outcome) {
    case "blocked":
      return { kind: "bad", text: `${by} blocked ${about}`, reason }
    case "asked":
      return { kind: "warn", text: `${by} had the user asked about ${about}`, reason }
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
