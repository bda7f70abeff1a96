/** The calls of a session that are under way, and those that ended without their turn having come. Pure. */
import type { Judged } from "../checks/judge.ts"
import { judge, notEnded } from "../checks/judge.ts"
import type { Observation } from "../checks/observe.ts"
import type { ToolOutcome } from "../checks/ToolOutcome.ts"

/** A call that is over, judged; its text is not kept. */
export interface EndedCall {
  /** The count of the session's calls at which it began. */
  readonly n: number
  readonly outcome: ToolOutcome
  readonly judged: Judged
  readonly at: number
  readonly invocation: string
  readonly position: number | undefined
}

interface Pending {
  readonly n: number
  readonly outcome: ToolOutcome
  /** That told of its beginning. */
  readonly invocation: string
  /** A hook said no to it, or somebody was asked: that it has no end tells nothing. */
  readonly isHeld?: true
  /** What a batch told of it, which may come before its own end. */
  readonly batched?: ToolOutcome
}

export interface SessionCalls {
  /** Counts what begins and what is taken up: of two numbers the smaller was earlier. */
  readonly n: number
  readonly pending: readonly Pending[]
  /** Ended while others are still under way. */
  readonly ended: readonly EndedCall[]
  /** The ids of the last that ended: a batch tells of them once more. */
  readonly known: readonly string[]
}

/** `held`: the invocation that told of a call's beginning ended with a no, or with a question. */
export type Happened = Observation | { readonly type: "held" }

export interface When {
  readonly at: number
  readonly invocation: string
  readonly position: number | undefined
}

export const noCalls: SessionCalls = { n: 0, pending: [], ended: [], known: [] }

const maxKnown = 64
const maxPending = 32

const keyOf = ({ asked, command, name, paths }: ToolOutcome): string =>
  JSON.stringify([name, command ?? "", paths, command === undefined ? asked : ""])

const endedBy = (n: number, outcome: ToolOutcome, when: When): EndedCall => ({
  n,
  outcome: { ...outcome, text: "" },
  judged: judge(outcome),
  ...when
})

const withEnd = (calls: SessionCalls, outcome: ToolOutcome, when: When): SessionCalls => {
  if (calls.known.includes(outcome.id)) return calls
  const begun = calls.pending.find((one) => one.outcome.id === outcome.id)
  // Without an event for its beginning it began when it ended.
  const n = begun?.n ?? calls.n + 1
  return {
    n: Math.max(calls.n, n),
    pending: calls.pending.filter((one) => one !== begun),
    ended: [...calls.ended, endedBy(n, outcome, when)],
    known: [...calls.known, outcome.id].slice(-maxKnown)
  }
}

/** It is over, and what it showed is not known here. */
export const endedUnseen = (calls: SessionCalls, id: string): SessionCalls => ({
  ...calls,
  pending: calls.pending.filter(({ outcome }) => outcome.id !== id),
  known: [...calls.known, id].slice(-maxKnown)
})

/** A patch that does not fit is refused, and no event says so. */
const unfit = (outcome: ToolOutcome): ToolOutcome => ({
  ...outcome,
  told: "rejected",
  text: "verification failed: the edit was not applied"
})

const unended = (outcome: ToolOutcome): ToolOutcome => ({
  ...outcome,
  told: "rejected",
  text: notEnded
})

/** Calls without an end that others have overtaken: an edit is over at once, and who makes the same call again has given up the first. */
const givenUp = (before: SessionCalls, next: ToolOutcome | undefined, when: When): SessionCalls => {
  const calls = denied(before, when)
  const isOvertaken = calls.ended.length > 0 || calls.known.length > 0
  return calls.pending.reduce((left, { isHeld, n, outcome }) => {
    if (isHeld) return left
    const isAgain = next !== undefined && keyOf(next) === keyOf(outcome)
    const wasOvertaken = isOvertaken && left.ended.concat().some((one) => one.n > n)
    if (
      outcome.kind === "edit" &&
      outcome.name === "apply_patch" &&
      (next === undefined || wasOvertaken || isAgain)
    )
      return withEnd(left, unfit(outcome), when)
    return isAgain && outcome.kind === "shell" ? withEnd(left, unended(outcome), when) : left
  }, calls)
}

const begun = (calls: SessionCalls, outcome: ToolOutcome, invocation: string): SessionCalls => ({
  ...calls,
  n: calls.n + 1,
  pending: [
    ...calls.pending.filter((one) => one.outcome.id !== outcome.id),
    { n: calls.n + 1, outcome: { ...outcome, text: "" }, invocation }
  ].slice(-maxPending)
})

const held = (calls: SessionCalls, is: (one: Pending) => boolean): SessionCalls =>
  calls.pending.some(is)
    ? { ...calls, pending: calls.pending.map((one) => (is(one) ? { ...one, isHeld: true } : one)) }
    : calls

/** What the batch alone tells. */
const fromBatch = (calls: SessionCalls, outcome: ToolOutcome, when: When): SessionCalls => {
  if (calls.known.includes(outcome.id)) return calls
  if (outcome.told !== "untold") return withEnd(calls, outcome, when)
  const mayBeDenied = outcome.kind === "shell" || outcome.kind === "edit"
  if (!mayBeDenied) return calls
  const batched = (one: Pending): Pending =>
    one.outcome.id === outcome.id ? { ...one, batched: outcome } : one
  return { ...calls, pending: calls.pending.map(batched) }
}

/** A call whose batch is over and that has no end of its own was not let run: some versions give the bare reason. */
const denied = (calls: SessionCalls, when: When): SessionCalls =>
  calls.pending.reduce(
    (left, { batched }) =>
      batched === undefined ? left : withEnd(left, { ...batched, told: "denied" }, when),
    calls
  )

export interface Taken {
  readonly calls: SessionCalls
  /** What has its turn now, in the order in which it began: the order in which parallel calls end means nothing. */
  readonly due: readonly EndedCall[]
  /** The count at which it is known what they have shown. */
  readonly seen: number
}

const inOrder = (ended: readonly EndedCall[]): readonly EndedCall[] =>
  [...ended].sort((a, b) => a.n - b.n || (a.outcome.id < b.outcome.id ? -1 : 1))

/** All that ended has its turn; what is under way stays. */
export const settled = (calls: SessionCalls): Taken => ({
  calls: calls.ended.length === 0 ? calls : { ...calls, n: calls.n + 1, ended: [] },
  due: inOrder(calls.ended),
  seen: calls.n + 1
})

const ifAllEnded = (calls: SessionCalls): Taken =>
  calls.pending.length === 0 ? settled(calls) : { calls, due: [], seen: calls.n }

export const takeUp = (calls: SessionCalls, happened: Happened, when: When): Taken => {
  switch (happened.type) {
    case "started": {
      const { isAsked, outcome } = happened
      // The agent asks about a call that it told of: of some it gives no id.
      const isSame = (one: Pending): boolean =>
        one.outcome.id === outcome.id || keyOf(one.outcome) === keyOf(outcome)
      if (isAsked && calls.pending.some(isSame)) return { calls: held(calls, isSame), due: [], seen: calls.n }
      const { calls: left, ...taken } = settled(givenUp(calls, outcome, when))
      const now = begun(left, outcome, when.invocation)
      return { ...taken, calls: isAsked ? held(now, isSame) : now }
    }
    case "held":
      return {
        calls: held(calls, ({ invocation }) => invocation === when.invocation),
        due: [],
        seen: calls.n
      }
    case "ended":
      return ifAllEnded(withEnd(calls, happened.outcome, when))
    case "batch":
      return settled(happened.outcomes.reduce((left, one) => fromBatch(left, one, when), calls))
    case "turn":
    case "left": {
      const { calls: left, ...taken } = settled(givenUp(calls, undefined, when))
      // Whoever speaks has stopped what was under way; what goes on in the background tells of its end by itself.
      return { ...taken, calls: left.pending.length === 0 ? left : { ...left, pending: [] } }
    }
  }
}
