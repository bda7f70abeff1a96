/** A recorded run once more without a hook: the recorded outcomes, and the reply as it is said now. Pure. */
import type { InvocationFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { adapters } from "../../agents/adapters.ts"
import { formerSpeaker } from "./formerly.ts"
import type { Adapters } from "./replayInvocation.ts"
import { saidBy } from "./replyAgain.ts"

const known: Adapters = adapters

/** As the adapter says it that said it then, where today's says it otherwise. Undefined where its first fact is not on the log. */
export const recomputed = (recorded: readonly Recorded[]): readonly InvocationFact[] | undefined => {
  const facts = recorded.filter((one) => one.known).map(({ data }) => data as InvocationFact)
  const opened = facts.find((fact) => fact.type === "INVOCATION_OPENED")
  const adapter = opened && Object.hasOwn(known, opened.agent) ? known[opened.agent] : undefined
  if (opened === undefined || adapter === undefined) return undefined
  return saidBy(formerSpeaker(recorded, opened.agent) ?? adapter, facts)
}
