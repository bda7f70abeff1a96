/** A recorded reply said again by an adapter: today's, or one as it was. Pure. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { InvocationFact } from "../../../events/facts.ts"
import { type InvocationCommand, invocation } from "../../../machines/invocation.ts"
import { evolve, start } from "../../../machines/step.ts"
import type { Adapter } from "../../agents/Adapter.ts"
import { redact } from "../../redact/redact.ts"
import { answer } from "../../runtime/answer.ts"
import { performed, performedOtherwise } from "../../runtime/Edge.ts"

export type Opened = Extract<InvocationFact, { type: "INVOCATION_OPENED" }>
export type Delivered = Extract<InvocationFact, { type: "REPLY_DELIVERED" | "DELIVERY_FAILED" }>
export type Deliver = Extract<InvocationCommand, { type: "DELIVER" }>

export type Said = Pick<Delivered, "stdout" | "stderr" | "exitCode" | "channels">

/** What of a reply is compared. What was held back has a mark that versions before did not write; its reason says the same. */
export const compared = ({ stdout, stderr, exitCode, channels }: Said): Said => ({
  stdout,
  stderr,
  exitCode,
  channels: channels.map(({ held: _, ...one }) => one)
})

export const replyAgain = (
  adapter: Adapter,
  opened: Opened,
  { held, intents, noise }: Deliver,
  fact: Delivered,
  tool: Tool | undefined
): Said => {
  const { encoded, channels } = answer(
    {
      adapter,
      agentEvent: opened.agentEvent,
      transport: opened.transport === "http" ? "http" : "command",
      logLevel: opened.env["HOOKTAPE_LOG_LEVEL"]
    },
    intents,
    tool,
    held
  )
  // The edge turned to the other way where standard output was gone.
  const turned = fact.type === "DELIVERY_FAILED" && fact.exitCode !== encoded.exitCode
  const { stdout, stderr, exitCode } =
    (turned ? performedOtherwise(encoded, noise) : undefined) ?? performed(encoded, noise)
  return redact({ stdout, stderr, exitCode, channels })
}

/** The facts of one run with its reply said as that adapter says it; as they are where there is none. */
export const saidBy = (adapter: Adapter, facts: readonly InvocationFact[]): readonly InvocationFact[] => {
  let { snapshot } = start(invocation)
  let command: InvocationCommand | undefined
  let opened: Opened | undefined
  let tool: Tool | undefined
  return facts.map((fact) => {
    const pending = command
    const step = evolve(invocation, snapshot, fact)
    snapshot = step.snapshot
    command = step.command ?? command
    if (fact.type === "INVOCATION_OPENED") opened = fact
    if (fact.type === "PAYLOAD_BUFFERED") tool = fact.tool
    const isReply = fact.type === "REPLY_DELIVERED" || fact.type === "DELIVERY_FAILED"
    if (!isReply || opened === undefined || pending?.type !== "DELIVER") return fact
    return { ...fact, ...replyAgain(adapter, opened, pending, fact, tool) }
  })
}
