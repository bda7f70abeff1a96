/** The calls that hooks recorded, as cases. Pure. */
import { ownEvents } from "../../../events/agentEvents.ts"
import type { InvocationFact, ServiceCalled } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { intentsOf } from "../../../machines/replyIntents.ts"
import { placeInSession } from "../../agents/placeInSession.ts"
import { parsedPayload, subjectOf, toolInputIn } from "../../features/timeline/subject.ts"
import { wishIn } from "../../features/timeline/wish.ts"
import { probeReason, probeSession } from "../../runtime/probe.ts"
import { type Case, type Ruling, strictness } from "./Case.ts"
import { shapeOf } from "./commandShape.ts"

/** What has to be read for them. */
export const caseTypes = [
  "INVOCATION_OPENED",
  "PAYLOAD_BUFFERED",
  "HANDLERS_PLANNED",
  "HANDLER_SUCCEEDED",
  "HANDLER_FAILED",
  "HANDLER_TIMED_OUT",
  "HANDLER_SKIPPED",
  "SERVICE_CALLED",
  "EXITED"
] as const

type Opened = Extract<InvocationFact, { type: "INVOCATION_OPENED" }>
type Buffered = Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>
type Planned = Extract<InvocationFact, { type: "HANDLERS_PLANNED" }>

interface Open {
  readonly opened: Opened
  readonly at: number
  buffered?: Buffered
  planned?: Planned
  readonly called: ServiceCalled[]
  /** By the handler's index; of several attempts the last one counts. */
  readonly rulings: Map<number, readonly [hook: string, ruling: Ruling]>
}

const ruledBy = (rulings: Open["rulings"]): ReadonlyMap<string, Ruling> => {
  const found = new Map<string, Ruling>()
  for (const [hook, ruling] of rulings.values()) {
    const before = found.get(hook)
    if (before === undefined || strictness[ruling] > strictness[before]) found.set(hook, ruling)
  }
  return found
}

const caseOf = ({ at, buffered, called, opened, planned, rulings }: Open): Case | undefined => {
  const { agent, agentEvent, cwd, invocation, project } = opened
  const isOwn = agent === "raw" && (ownEvents as readonly string[]).includes(agentEvent)
  const isProbe =
    buffered?.session === probeSession || planned?.left.some(({ reason }) => reason === probeReason) === true
  if (buffered === undefined || buffered.missing !== undefined || isOwn || isProbe) return undefined
  const payload = parsedPayload(buffered.payload)
  return {
    id: invocation,
    source: "hooks",
    at,
    agent,
    agentEvent,
    payload: buffered.payload,
    cwd,
    project,
    session: buffered.session,
    ...placeInSession(agent, payload),
    subject: subjectOf(buffered.events, buffered.tool, toolInputIn(payload)) ?? agentEvent,
    shape: shapeOf(agentEvent, buffered.tool),
    before: ruledBy(rulings),
    planned,
    recorded: called
  }
}

/** Takes facts in the order of the log; a call is told with its last one. */
export const makeRecordedCases = () => {
  const open = new Map<string, Open>()
  return ({ at, data, known, stream, type }: Recorded): Case | undefined => {
    if (!known) return undefined
    const fact = data as InvocationFact
    if (type === "INVOCATION_OPENED") {
      open.set(stream, { opened: fact as Opened, at, called: [], rulings: new Map() })
      return undefined
    }
    const one = open.get(stream)
    if (one === undefined) return undefined
    switch (fact.type) {
      case "PAYLOAD_BUFFERED":
        one.buffered = fact
        return undefined
      case "HANDLERS_PLANNED":
        one.planned = fact
        return undefined
      case "SERVICE_CALLED":
        one.called.push(fact)
        return undefined
      case "HANDLER_SUCCEEDED":
      case "HANDLER_FAILED":
      case "HANDLER_TIMED_OUT":
      case "HANDLER_SKIPPED":
        one.rulings.set(fact.index, [fact.handler, wishIn(intentsOf(fact))?.decision ?? "none"])
        return undefined
      case "EXITED":
        open.delete(stream)
        return caseOf(one)
      default:
        return undefined
    }
  }
}
