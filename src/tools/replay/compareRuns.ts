/** A recorded invocation against one whose handlers ran again: the plan, what each handler wanted, the reply. Pure. */
import type { InvocationFact, Planned } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { differ } from "./differ.ts"
import type { Check, Difference } from "./Replayed.ts"
import { compared } from "./replyAgain.ts"

type Told = {
  readonly key: string
  readonly check: Check
  readonly what: object
  /** Why it came to that, where it went wrong. */
  readonly why?: string
}

const plannedAs = ({ handler, event, priority, deadlineMs, onFailure }: Planned) => ({
  handler,
  event,
  priority,
  deadlineMs,
  onFailure
})

const runKey = (event: string, handler: string, attempt: number): string =>
  `${event} ${handler}${attempt > 1 ? ` ${attempt}` : ""}`

/** What of a fact must come again: no times, no paths, no stack traces. Undefined for facts that say nothing of the hooks. */
const told = (fact: InvocationFact): Told | undefined => {
  switch (fact.type) {
    // Of what is left out nothing comes, whether or not it is there, and for whatever reason.
    case "HANDLERS_PLANNED":
      return { key: "plan", check: "plan", what: { handlers: fact.handlers.map(plannedAs) } }
    case "HANDLER_SUCCEEDED": {
      const { type, handler, event, attempt, intents, patch } = fact
      return {
        key: runKey(event, handler, attempt),
        check: "handler",
        what: { outcome: type, intents, patch }
      }
    }
    case "HANDLER_FAILED": {
      const { type, handler, event, attempt, error, policy, intents } = fact
      const { name, message } = error
      return {
        key: runKey(event, handler, attempt),
        check: "handler",
        what: { outcome: type, error: { name, message }, policy, intents },
        why: `${name}: ${message}`
      }
    }
    case "HANDLER_TIMED_OUT": {
      const { type, handler, event, attempt, policy, intents } = fact
      return {
        key: runKey(event, handler, attempt),
        check: "handler",
        what: { outcome: type, policy, intents }
      }
    }
    case "HANDLER_SKIPPED": {
      const { type, handler, event, attempt = 1, reason } = fact
      return {
        key: runKey(event, handler, attempt),
        check: "handler",
        what: { outcome: type, reason },
        why: reason
      }
    }
    case "REPLY_DELIVERED":
    case "DELIVERY_FAILED":
      return { key: "reply", check: "reply", what: compared(fact) }
    default:
      return undefined
  }
}

/** A handler that is only on one side is a difference of the plan, and said once. */
export const compareRuns = (
  invocation: string,
  recorded: readonly Recorded[],
  now: readonly InvocationFact[]
): readonly Difference[] => {
  const again = new Map<string, Told>()
  for (const fact of now) {
    const one = told(fact)
    if (one) again.set(one.key, one)
  }
  const differences: Difference[] = []
  // What stands after the end, its client had to say of the reply.
  const ended = recorded.findIndex(({ type }) => type === "EXITED")
  for (const { position, type, known, data } of recorded.slice(0, ended === -1 ? recorded.length : ended)) {
    const before = known ? told(data as InvocationFact) : undefined
    if (!before) continue
    const after = again.get(before.key)
    if (after === undefined && before.check === "handler") continue
    const parting = differ(before.what, after?.what ?? null)
    if (parting === undefined) continue
    // Where the words of an error differ, they are what is shown as it is.
    const why = parting.at === "outcome" ? after?.why : undefined
    differences.push({
      invocation,
      position,
      type,
      check: before.check,
      ...parting,
      ...(why === undefined ? {} : { why })
    })
  }
  return differences
}
