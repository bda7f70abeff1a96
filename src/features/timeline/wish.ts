/** What hooks wanted for the action, and what of that reached the agent. Pure. */
import type { ChannelTaken } from "../../../events/facts.ts"
import type { Attributed } from "../../../machines/replyIntents.ts"
import type { Decision } from "./Call.ts"
import { clipped } from "./subject.ts"

export interface Wish {
  readonly decision: Decision
  readonly reason: string | null
  /** By exit code alone. */
  readonly byExit?: true
}

const strictness = { allow: 0, ask: 1, block: 2 } as const

const wishOf = ({ intent }: Attributed): Wish | undefined => {
  switch (intent.type) {
    case "BLOCKING_FEEDBACK":
      return { decision: "block", reason: clipped(intent.reason) }
    case "EXIT_SIGNAL":
      return intent.code === 2 ? { decision: "block", reason: null, byExit: true } : undefined
    case "MODEL_CONTEXT": {
      const { permission, reason } = intent
      return permission === undefined
        ? undefined
        : { decision: permission, reason: reason === undefined ? null : clipped(reason) }
    }
    default:
      return undefined
  }
}

/** The first of the strictest. */
export const strictest = <A extends Wish>(wishes: readonly A[]): A | undefined =>
  wishes.reduce<A | undefined>(
    (found, one) =>
      found === undefined || strictness[one.decision] > strictness[found.decision] ? one : found,
    undefined
  )

export const wishIn = (intents: readonly Attributed[]): Wish | undefined =>
  strictest(intents.flatMap((one) => wishOf(one) ?? []))

/** Which wishes the reply carried. */
export interface Carried {
  readonly block: boolean
  /** `block`: the agent cannot ask, and so it was blocked. */
  readonly permission: boolean | "block"
  readonly exit: boolean
}

/** Facts of before 2026-12 say in words alone that a block took the question's place. */
const earlierWords = /: the action is blocked$/

const isBlockedInstead = ({ instead, reason = "" }: ChannelTaken): boolean =>
  instead === "block" || earlierWords.test(reason)

export const carriedBy = (channels: readonly ChannelTaken[]): Carried => {
  const of = (intent: string) => channels.filter((one) => one.intent === intent)
  const isCarried = ({ channel }: ChannelTaken): boolean => channel !== "undeliverable"
  const permissions = of("MODEL_CONTEXT.permission")
  const isBlocked = permissions.some(isBlockedInstead)
  return {
    block: of("BLOCKING_FEEDBACK").some(isCarried),
    permission: isBlocked ? "block" : permissions.some(isCarried),
    exit: of("EXIT_SIGNAL").some(isCarried)
  }
}

/** The wish as the agent had it; undefined where it did not. */
export const asCarried = (wish: Wish, carried: Carried): Decision | undefined => {
  if (wish.decision === "block") return (wish.byExit ? carried.exit : carried.block) ? "block" : undefined
  if (carried.permission === "block") return "block"
  return carried.permission ? wish.decision : undefined
}
