/** Handlers that fail often, and those that never did anything else. */

import { settled } from "../../../history/settled.ts"
import type { ReadFact } from "../../../log/reader.ts"
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

/** Fewer runs tell nothing. */
const leastRuns = 3
const oftenShare = 0.2
const lastRuns = 20

interface Run {
  readonly failed: boolean
  readonly message: string
}

const outcomes = new Set(["HANDLER_SUCCEEDED", "HANDLER_FAILED", "HANDLER_TIMED_OUT"])

const runsOf = (facts: readonly ReadFact[]): ReadonlyMap<string, readonly Run[]> => {
  const runs = new Map<string, Run[]>()
  for (const { data, type } of settled(facts)) {
    if (!outcomes.has(type)) continue
    const { error, handler = "?" } = data as { handler?: string; error?: { message?: string } }
    const message = type === "HANDLER_TIMED_OUT" ? "took longer than it may" : String(error?.message ?? "")
    const list = runs.get(handler) ?? []
    list.push({ failed: type !== "HANDLER_SUCCEEDED", message })
    runs.set(handler, list)
  }
  return runs
}

export const failingHandlers = ({ facts }: Evidence): readonly Finding[] =>
  [...runsOf(facts)].flatMap(([handler, all]): readonly Finding[] => {
    const runs = all.slice(-lastRuns)
    const failures = runs.filter(({ failed }) => failed)
    if (runs.length < leastRuns || failures.length / runs.length < oftenShare) return []
    const always = failures.length === runs.length
    const last = failures.at(-1)?.message ?? ""
    return [
      {
        category: always ? "broken hook" : "failing handler",
        severity: always ? "critical" : "warning",
        reference: handler,
        description: `${handler} failed in ${failures.length} of its last ${runs.length} runs${last === "" ? "" : `: ${last}`}`,
        recommendation: `Look at one of them: hooktape log --type HANDLER_FAILED,HANDLER_TIMED_OUT --limit 5; or switch it off: hooktape hooks disable ${handler}`
      }
    ]
  })
