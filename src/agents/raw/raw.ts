/** The adapter of any program that speaks canonical JSON: one document says all there is to say. */
import { canonicalEvents, ownEvents, type Tool } from "../../../events/agentEvents.ts"
import { exitCodes } from "../../../events/exitCodes.ts"
import type { Adapter, Carried, Encoded, NativeEvent, Transport } from "../Adapter.ts"
import { reasonToAsk, unasked } from "../cannotAsk.ts"
import { diagnosticLine, stoppedBy, unpassed } from "../encode.ts"
import { probes } from "../probes.ts"
import { joined, type Reply, type Slot } from "../reply.ts"
import type { Of, Shape } from "../shape.ts"
import { decodeRaw } from "./decode.ts"

/** The document on standard output. Whatever a hook did not say is not there. */
export const rawOutput = {
  only: {
    /** Text for the model. */
    "context?": "string",
    "permission?": { oneOf: ["allow", "ask"] },
    /** With permission ask: why. */
    "reason?": "string",
    /** Keys to merge over the tool's input. */
    "updatedInput?": "object",
    /** It is the whole input: nothing of the tool's own stays. */
    "replacesInput?": "boolean",
    "updatedOutput?": "json",
    "hints?": { listOf: "string" },
    /** The action must stop, and why. The exit code is 2. */
    "block?": "string",
    /** The exit code that a hook asked for. */
    "exit?": "number"
  }
} as const satisfies Shape

export type RawOutput = Of<typeof rawOutput>

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What still stops the action where the document cannot be written: the exit code alone has no reason. */
const lastResort = (reply: Reply, event: string, tool: Tool | undefined): Pick<Encoded, "otherwise"> => {
  const asked = reply.permission === "ask" ? unasked(reply, unpassed, event, tool) : []
  return stoppedBy(exitCodes.blocking, reply.blocks.length > 0 ? reply.blocks : asked)
}

const encode = (event: string, transport: Transport, reply: Reply, tool?: Tool): Encoded => {
  const carried: Partial<Record<Slot, Carried>> = {}
  const document: Mutable<RawOutput> = {}
  const say = <K extends keyof RawOutput>(slot: Slot, field: K, value: RawOutput[K]) => {
    document[field] = value
    carried[slot] = { channel: `stdout: ${field}` }
  }
  const isBlocked = reply.blocks.length > 0
  const refuse = (slot: Slot) => {
    carried[slot] = { undeliverable: "the action is blocked" }
  }
  if (isBlocked) say("block", "block", joined(reply.blocks))
  if (reply.contexts.length > 0) say("context", "context", joined(reply.contexts))
  if (reply.hints.length > 0) say("hint", "hints", reply.hints)
  if (reply.permission !== "none")
    isBlocked ? refuse("permission") : say("permission", "permission", reply.permission)
  const why = reasonToAsk(reply)
  if (reply.permission === "ask" && !isBlocked && why !== "") document.reason = why
  if (reply.updatedInput) isBlocked ? refuse("input") : say("input", "updatedInput", reply.updatedInput)
  if (reply.replacesInput && !isBlocked) document.replacesInput = true
  if (reply.updatedOutput)
    isBlocked ? refuse("output") : say("output", "updatedOutput", reply.updatedOutput.value)
  let exitCode: number = isBlocked && transport === "command" ? exitCodes.blocking : exitCodes.success
  if (reply.exit !== undefined) {
    const { exit } = reply
    if (!Number.isInteger(exit) || exit < 0 || exit > 255)
      carried.exit = { undeliverable: "an exit code is an integer from 0 to 255" }
    else if (isBlocked && exit !== exitCodes.blocking) refuse("exit")
    else if (!isBlocked && exit === exitCodes.blocking)
      carried.exit = { undeliverable: "exit code 2 is how a block is said; use blockingFeedback" }
    else {
      say("exit", "exit", exit)
      if (transport === "command") exitCode = exit
    }
  }
  const shown = transport === "command"
  if (reply.diagnostics.length > 0) carried.diagnostic = { channel: shown ? "stderr" : "log" }
  return {
    stdout: `${JSON.stringify(document)}\n`,
    stderr: shown ? reply.diagnostics.map(diagnosticLine).join("") : "",
    exitCode,
    carried,
    ...(transport === "command" ? lastResort(reply, event, tool) : {})
  }
}

const carries = (slot: Slot, transport: Transport): Carried =>
  encode("", transport, probes[slot]).carried[slot] ?? { undeliverable: "nothing to carry" }

const events: { readonly [name: string]: NativeEvent } = Object.fromEntries(
  [...canonicalEvents, ...ownEvents].map((event) => [event, { event, register: "always", carries }])
)

export const raw: Adapter = { agent: "raw", events, decode: decodeRaw, encode }
