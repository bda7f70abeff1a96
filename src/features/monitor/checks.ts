/** Everything the quick check looks for, in the order in which it is reported. */
import { staleNotes, unconfirmedNotes } from "./check/agingNotes.ts"
import { brokenBuilds } from "./check/brokenBuilds.ts"
import { contradictions } from "./check/contradictions.ts"
import { failingHandlers } from "./check/failingHandlers.ts"
import { growth } from "./check/growth.ts"
import { loopingHooks } from "./check/loopingHooks.ts"
import { lostInvocations } from "./check/lostInvocations.ts"
import { spoolErrors } from "./check/spoolErrors.ts"
import { unreadableLog } from "./check/unreadableLog.ts"
import type { Evidence } from "./Evidence.ts"
import type { Finding } from "./Finding.ts"

const checks: readonly ((evidence: Evidence) => readonly Finding[])[] = [
  unreadableLog,
  contradictions,
  brokenBuilds,
  failingHandlers,
  loopingHooks,
  (evidence) => lostInvocations(evidence),
  spoolErrors,
  growth,
  staleNotes,
  unconfirmedNotes
]

const weight = { critical: 0, warning: 1 } as const

/** What is critical comes first. */
export const check = async (evidence: Evidence): Promise<readonly Finding[]> =>
  checks.flatMap((one) => one(evidence)).toSorted((a, b) => weight[a.severity] - weight[b.severity])
