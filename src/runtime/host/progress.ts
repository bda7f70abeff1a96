/** What the log and the spool know of an invocation: another process may have begun it, or ended it. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { invocationStream } from "../../../events/invocationOf.ts"
import type { EventLogError, EventLogShape } from "../../log/EventLog.ts"
import { pendingFacts } from "../../log/spool/pendingFacts.ts"

/** How far an invocation has come, of which something may be on the log or on its way there. */
export const progressOf = (
  log: Pick<EventLogShape, "read">,
  state: string,
  invocation: string
): Effect.Effect<"unknown" | "begun" | "ended", EventLogError> =>
  Effect.suspend(() => {
    // First: what is taken in meanwhile is then seen twice.
    const stream = invocationStream(invocation)
    const pending = pendingFacts(state, { stream }).facts
    return Effect.map(Stream.runCollect(log.read({ stream })), (logged) => {
      const types = [...pending, ...logged].map(({ type }) => type)
      if (types.length === 0) return "unknown"
      return types.includes("EXITED") ? "ended" : "begun"
    })
  })
