/** What a fact tells of the calls of its session. Pure. */
import type { Fact } from "../../../events/facts.ts"
import { observe } from "../checks/observe.ts"
import { carriedBy } from "../timeline/wish.ts"
import type { Happened } from "./SessionCalls.ts"

/** `REPLY_DELIVERED`: no payload tells of a call that did not run because hooktape said so. */
export const followedTypes = ["PAYLOAD_BUFFERED", "REPLY_DELIVERED"] as const

type Delivered = Extract<Fact, { type: "REPLY_DELIVERED" }>

/** The channel names no permission; agents that can ask are all told so in this word. */
const asks = /:\s*"ask"/

/** The agent was told no, or to ask. */
const isHeld = ({ channels, exitCode, stdout }: Delivered): boolean => {
  const { block, exit, permission } = carriedBy(channels)
  return block || permission === "block" || (exit && exitCode === 2) || (permission && asks.test(stdout))
}

export const happenedIn = (fact: Fact, agent: string | null, invocation: string): Happened | undefined => {
  if (fact.type === "PAYLOAD_BUFFERED") return observe(fact, agent, invocation)
  return fact.type === "REPLY_DELIVERED" && isHeld(fact) ? { type: "held" } : undefined
}
