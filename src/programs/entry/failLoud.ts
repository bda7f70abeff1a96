/** What is recorded nowhere might as well not have been handled: from the threshold on it is said so that nobody overlooks it. */
import { exitCodes } from "../../../events/exitCodes.ts"
import type { JsonObject } from "../../../events/intents.ts"
import { breaker } from "../../../machines/breaker.ts"
import { evolve, start } from "../../../machines/step.ts"
import type { Adapter, Encoded } from "../../agents/Adapter.ts"
import { joined } from "../../agents/reply.ts"
import { isObject } from "../../agents/shape.ts"
import {
  countUnreachable,
  currentUnreachable,
  failLoudThreshold,
  unreachableMessage
} from "../../log/spool/unreachable.ts"
import type { Edge } from "../../runtime/Edge.ts"
import { loudByExit, messageDocument } from "../../runtime/loudReply.ts"

export interface FailLoud {
  readonly edge: Edge
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly state: string
  readonly who: string
  readonly isRecorded: () => boolean
  readonly env: NodeJS.ProcessEnv
}

/** By exit code, or as JSON. */
const isBlock = ({ carried: { block }, exitCode, otherwise }: Encoded): boolean =>
  exitCode === exitCodes.blocking || otherwise !== undefined || (block !== undefined && "channel" in block)

const parsed = (text: string): JsonObject => {
  const value: unknown = text.trim() === "" ? {} : JSON.parse(text)
  return isObject(value) ? value : {}
}

/** One document with the fields of both; two texts in one field join, two lists follow each other. */
const merged = (first: JsonObject, second: JsonObject): JsonObject => {
  const both: Record<string, JsonObject[string]> = { ...first }
  for (const [field, value] of Object.entries(second)) {
    const there = both[field]
    if (typeof there === "string" && typeof value === "string") both[field] = joined([there, value])
    else if (Array.isArray(there) && Array.isArray(value)) both[field] = [...there, ...value]
    else both[field] = value
  }
  return both
}

/** The breaker's machine over what was counted in a row, this call last: the facts that the log has of it later. */
const decided = (state: string) => {
  let step = start(breaker)
  for (const { threshold, why } of currentUnreachable(state))
    step = evolve(breaker, step.snapshot, { type: "HOST_UNREACHABLE", threshold, detail: why })
  return step.command
}

export const failLoud = ({ adapter, agentEvent, edge, state, who, isRecorded, env }: FailLoud): Edge => {
  const orLoud = (reply: Encoded): Encoded => {
    if (countUnreachable(state, who, "no-record", failLoudThreshold(env)) === undefined) return reply
    const command = decided(state)
    if (command?.type !== "SPEAK_UP") return reply
    const message = unreachableMessage(String(command.consecutive))
    if (loudByExit.includes(agentEvent)) {
      // A hook that blocks anyway says why.
      if (isBlock(reply)) return reply
      return { stdout: "", stderr: message, exitCode: exitCodes.blocking, carried: {} }
    }
    const document = messageDocument(adapter, agentEvent, message)
    // What blocks by exit code is heard only with an empty standard output.
    if (document === undefined || (reply.exitCode === exitCodes.blocking && reply.stdout === "")) return reply
    return { ...reply, stdout: `${JSON.stringify(merged(parsed(reply.stdout), parsed(document)))}\n` }
  }
  return { deliver: (reply, noise) => edge.deliver(isRecorded() ? reply : orLoud(reply), noise) }
}
