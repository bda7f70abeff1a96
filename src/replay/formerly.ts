/**
 * What earlier releases said in another way, by agent: a reply on the log is told by the way in which it was said. A new one is
 * never said so.
 */
import type { Recorded } from "../../events/Recorded.ts"
import { adapters } from "../adapters/adapters.ts"
import { geminiCliFormerly } from "../adapters/gemini-cli/formerly.ts"
import { type Adapters, replayInvocation } from "./replayInvocation.ts"

export const formerly: Adapters = { "gemini-cli": geminiCliFormerly }

/** Whether only the way of an earlier release explains the reply. */
export const saidFormerly = (recorded: readonly Recorded[], agent: string): boolean => {
  if (!Object.hasOwn(formerly, agent)) return false
  const differs = (by: Adapters): boolean =>
    replayInvocation(recorded, by).differences.some(({ check }) => check === "reply")
  return differs(adapters) && !differs(formerly)
}
