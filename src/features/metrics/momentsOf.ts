/** What a fact of a hook call tells metrics. Pure. */
import { ownEvents } from "../../../events/agentEvents.ts"
import type { Fact } from "../../../events/facts.ts"
import type { Findings } from "../../../events/findings.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { placeInSession } from "../../agents/placeInSession.ts"
import { isObject } from "../../agents/shape.ts"
import { probeSession } from "../../runtime/probe.ts"
import { type Observed, observeWhole } from "../checks/observe.ts"
import { callMoment } from "./callMoment.ts"
import { momentFound } from "./foundMoments.ts"
import type { Moment } from "./Moment.ts"

export type Buffered = Extract<Fact, { type: "PAYLOAD_BUFFERED" }>

/** What agents send in the shape of a prompt though nobody typed it. */
const unsaid =
  /^\s*(?:<(?:task-notification|system-reminder|local-command-\w+|command-name|bash-\w+|user-prompt-submit-hook)\b|\[Request interrupted|This session is being continued from a previous conversation|Caveat: The messages below)/

const parsed = (payload: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(payload)
    return isObject(value as JsonObject) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}

export interface Told {
  readonly subagent: string | null
  readonly moments: readonly Moment[]
}

const promptIn = (fact: Buffered, turn: string | null): Moment => {
  const prompt = fact.events[0]?.data["prompt"]
  return { kind: "prompt", turn, isHuman: typeof prompt !== "string" || !unsaid.test(prompt) }
}

const ofTools = (fact: Buffered, { observation, tool }: Observed): readonly Moment[] => {
  const unnamed = fact.toolUseId === null ? { isUnnamed: true as const } : {}
  switch (observation.type) {
    case "started": {
      const { id, kind, name } = observation.outcome
      const started: Moment = { kind: "call-started", use: id, name, tool: kind, ...unnamed }
      const asks = fact.events[0]?.event === "tool.permission"
      return asks ? [started, { kind: "permission", use: id }] : [started]
    }
    case "ended":
      return [{ ...callMoment(observation.outcome, tool, false), ...unnamed }]
    case "batch":
      return observation.outcomes.map((outcome) => callMoment(outcome, undefined, true))
    default:
      return [{ kind: "seen" }]
  }
}

/** hooktape's own events are nothing that an agent did. */
const isOwn = ({ events }: Buffered): boolean =>
  (ownEvents as readonly string[]).includes(events[0]?.event ?? "")

/** Of a payload that is elsewhere: what its machine found in it, or that something happened. */
const found = ({ moments, subagent }: Findings = {}): Told => ({
  subagent: subagent ?? null,
  moments: moments === undefined ? [{ kind: "seen" }] : moments.map(momentFound)
})

/** Undefined where it belongs to no session of a person. `observe`: for whoever has read the payload already. */
export const momentsOf = (
  fact: Buffered,
  agent: string | null,
  invocation: string,
  observe = (): Observed | undefined => observeWhole(fact, agent, invocation)
): Told | undefined => {
  if (fact.session === null || fact.session === probeSession || isOwn(fact)) return undefined
  if (fact.missing !== undefined) return found(fact.findings)
  const observed = observe()
  const { subagent, turn } = placeInSession(agent, observed?.payload ?? parsed(fact.payload))
  const told = (...moments: readonly Moment[]): Told => ({ subagent, moments })
  switch (fact.events[0]?.event) {
    case "session.start":
      return told({ kind: "start" })
    case "session.end":
      return told({ kind: "end" })
    case "prompt.submit":
      return told(promptIn(fact, turn))
    case "turn.stop":
    case "turn.error":
      return told({ kind: "stop" })
    case "turn.interrupt":
      return told({ kind: "interrupt" })
    case "compact.before":
      return told({ kind: "compact" })
    default:
      return told(...(observed === undefined ? [{ kind: "seen" } as const] : ofTools(fact, observed)))
  }
}
