/** Whether a handler starts, and when. */
import * as Micro from "effect/Micro"
import type { InvocationFact, Planned } from "../../events/facts.ts"
import type { InvocationCommand } from "../../machines/invocation.ts"

/** A handler that could only time out is not started. */
export const leastMs = 1

/** As it is before any hook is loaded: one that fakes time fakes its own. */
const later = setTimeout

/** What facts about a handler say of the policy that brought it. */
export const broughtBy = ({ from }: Pick<Planned, "from">): Pick<Planned, "from"> =>
  from === undefined ? {} : { from }

/** Whether a handler starts, after a wait where it is tried again: a fact either way. `unwanted`: why it is not to start any more. */
export const started = (
  { planned, attempt, delayMs = 0 }: Extract<InvocationCommand, { type: "START_HANDLER" }>,
  leftMs: () => number,
  unwanted: () => string | undefined = () => undefined
): Micro.Micro<readonly InvocationFact[]> => {
  const { handler, event, index, onFailure: policy, stuck } = planned
  const begin = (): readonly InvocationFact[] => {
    const late = leftMs() < leastMs ? "the invocation's deadline has passed" : undefined
    const reason = stuck ?? unwanted() ?? late
    return reason === undefined
      ? [{ type: "HANDLER_STARTED", handler, event, index, attempt }]
      : [skipped(reason)]
  }
  const skipped = (reason: string): InvocationFact => ({
    type: "HANDLER_SKIPPED",
    handler,
    event,
    index,
    reason,
    policy,
    ...(attempt > 1 ? { attempt } : {}),
    ...broughtBy(planned)
  })
  if (delayMs === 0) return Micro.sync(begin)
  return Micro.suspend(() =>
    leftMs() < delayMs + leastMs
      ? Micro.succeed([skipped("the invocation's time would be over before the next attempt")])
      : Micro.async<readonly InvocationFact[]>((resume) => {
          later(() => resume(Micro.sync(begin)), delayMs)
        })
  )
}
