/** One recorded invocation, done again as far as nothing of the world is needed, and compared with what was recorded. Pure. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { InvocationFact } from "../../../events/facts.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { type InvocationCommand, invocation } from "../../../machines/invocation.ts"
import { evolve, isFinal, start, stateOf } from "../../../machines/step.ts"
import type { Adapter, Decoded } from "../../agents/Adapter.ts"
import { redact } from "../../redact/redact.ts"
import { repeated } from "../../runtime/clip.ts"
import { differ, type Parting, strict, type Tolerance } from "./differ.ts"
import type { Check, Difference, Replayed } from "./Replayed.ts"
import { compared, type Deliver, type Delivered, type Opened, replyAgain } from "./replyAgain.ts"

export type Adapters = Readonly<Record<string, Adapter>>

/** By agent, the latest first. */
export type FormerAdapters = Readonly<Record<string, readonly Adapter[]>>

type Buffered = Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>

const mark = "‹redacted:"

/** What was redacted cannot be decoded again: texts that came of such a payload may differ, its structure may not. */
const toleranceFor = (payload: string | undefined): Tolerance =>
  payload?.includes(mark) ? () => true : strict

const nowIs = (recorded: unknown, now: unknown, at = ""): Parting => ({ at, recorded, now })

/** The facts that may follow a command. */
const outcomes: Readonly<Record<InvocationCommand["type"], readonly InvocationFact["type"][]>> = {
  BUFFER: ["PAYLOAD_BUFFERED", "PAYLOAD_REJECTED"],
  PLAN: ["HANDLERS_PLANNED"],
  START_HANDLER: ["HANDLER_STARTED", "HANDLER_SKIPPED"],
  RUN_HANDLER: ["HANDLER_SUCCEEDED", "HANDLER_FAILED", "HANDLER_TIMED_OUT"],
  DELIVER: ["REPLY_DELIVERED", "DELIVERY_FAILED"],
  EXIT: ["EXITED"]
}

/** What the command says of its outcome, as far as it does. */
const announced = (
  command: InvocationCommand,
  fact: InvocationFact
): readonly [object, object] | undefined => {
  if (command.type === "EXIT" && fact.type === "EXITED") return [{ code: fact.code }, { code: command.code }]
  if (
    (command.type === "START_HANDLER" || command.type === "RUN_HANDLER") &&
    "handler" in fact &&
    "index" in fact
  ) {
    const { handler, event, index, onFailure } = command.planned
    const { attempt } = command
    return [
      {
        handler: fact.handler,
        event: fact.event,
        index: fact.index,
        ...("attempt" in fact ? { attempt: fact.attempt } : {}),
        ...("policy" in fact ? { policy: fact.policy } : {})
      },
      {
        handler,
        event,
        index,
        ...("attempt" in fact ? { attempt } : {}),
        ...("policy" in fact ? { policy: onFailure } : {})
      }
    ]
  }
  return undefined
}

const againstCommand = (command: InvocationCommand, fact: InvocationFact): Parting | undefined => {
  if (!outcomes[command.type].includes(fact.type)) return nowIs(fact.type, `an outcome of ${command.type}`)
  const said = announced(command, fact)
  return said && differ(said[0], said[1])
}

const decodeAgain = (adapter: Adapter, opened: Opened, fact: Buffered): Decoded | undefined => {
  try {
    return adapter.decode(opened.agentEvent, JSON.parse(fact.payload) as JsonObject)
  } catch {
    return undefined
  }
}

const againstPayload = (fact: Buffered, decoded: Decoded | undefined): Parting | undefined => {
  if (!decoded) return nowIs(fact.events[0]?.event ?? null, "the payload does not decode", "payload")
  const { session, toolUseId, tool, events, drift } = fact
  return differ(
    { session, toolUseId, tool, events, drift },
    redact(repeated(decoded)),
    toleranceFor(fact.payload)
  )
}

/** As it would be said today, or else as an earlier release said it: either is the same reply. */
const againstReply = (
  ways: readonly Adapter[],
  opened: Opened,
  command: Deliver,
  fact: Delivered,
  tool: Tool | undefined,
  tolerance: Tolerance
): Parting | undefined => {
  const partings = ways.map((adapter) =>
    differ(compared(fact), compared(replyAgain(adapter, opened, command, fact, tool)), tolerance)
  )
  return partings.includes(undefined) ? undefined : partings[0]
}

const invocationOf = (facts: readonly Recorded[]): string =>
  (facts[0]?.stream ?? "").replace(/^invocation\//, "")

/**
 * `facts` are those of one stream, in order. Facts that no build knows are passed over. `former` are adapters as they were, for
 * replies of earlier releases.
 */
export const replayInvocation = (
  facts: readonly Recorded[],
  adapters: Adapters,
  former: FormerAdapters = {}
): Replayed => {
  const id = invocationOf(facts)
  const differences: Difference[] = []
  let { snapshot } = start(invocation)
  let pending: InvocationCommand | undefined
  let opened: Opened | undefined
  let adapter: Adapter | undefined
  let decoded: Decoded | undefined
  let tolerance = strict
  let lost = true
  let compared = 0

  for (const { position, type, known, data } of facts) {
    if (!known) continue
    const fact = data as InvocationFact
    const found = (check: Check, parting: Parting | undefined) => {
      if (parting) differences.push({ invocation: id, position, type, check, ...parting })
      return parting !== undefined
    }
    // Its client could not pass on what had left here by then.
    if (fact.type === "DELIVERY_FAILED" && isFinal(snapshot)) continue
    compared++
    const step = evolve(invocation, snapshot, fact)
    if (step.refused) {
      found("machine", nowIs("taken", `not taken in the state ${stateOf(snapshot)}`))
      // What follows was decided from another state than ours.
      break
    }
    snapshot = step.snapshot
    if (fact.type === "NOISE_CAPTURED" || fact.type === "SERVICE_CALLED") continue
    if (pending && found("command", againstCommand(pending, fact))) break
    if (fact.type === "INVOCATION_OPENED") {
      opened = fact
      adapter = Object.hasOwn(adapters, fact.agent) ? adapters[fact.agent] : undefined
      if (!adapter) found("payload", nowIs(fact.agent, "no such agent", "agent"))
    }
    if (fact.type === "PAYLOAD_BUFFERED" && opened && adapter) {
      decoded = decodeAgain(adapter, opened, fact)
      tolerance = toleranceFor(fact.payload)
      found("payload", againstPayload(fact, decoded))
    }
    if ((fact.type === "REPLY_DELIVERED" || fact.type === "DELIVERY_FAILED") && opened && adapter) {
      if (pending?.type === "DELIVER") {
        const ways = [adapter, ...(former[adapter.agent] ?? [])]
        found("reply", againstReply(ways, opened, pending, fact, decoded?.tool, tolerance))
      }
    }
    if (fact.type === "EXITED") lost = false
    pending = step.command
  }
  return { invocation: id, facts: compared, lost, differences }
}
