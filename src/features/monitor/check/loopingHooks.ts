/** Hooks that keep an agent from stopping again and again, and jobs that die one after the other. */
import type { ReadFact } from "../../../log/reader.ts"
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

const maxBlocks = 4
const maxDeaths = 3

const blocks = ({ data }: ReadFact): boolean =>
  ((data as { intents?: readonly { type?: string }[] }).intents ?? []).some(
    ({ type }) => type === "BLOCKING_FEEDBACK"
  )

/** For each hook and session, how often in a row it refused to let the turn end. */
const stopLoops = (facts: readonly ReadFact[]): readonly Finding[] => {
  const inRow = new Map<string, number>()
  const longest = new Map<string, number>()
  for (const fact of facts) {
    const { event, handler } = fact.data as { event?: string; handler?: string }
    if (fact.type !== "HANDLER_SUCCEEDED" || event !== "turn.stop" || handler === undefined) continue
    const key = `${handler}\n${fact.session ?? ""}`
    const count = blocks(fact) ? (inRow.get(key) ?? 0) + 1 : 0
    inRow.set(key, count)
    longest.set(handler, Math.max(longest.get(handler) ?? 0, count))
  }
  return [...longest].flatMap(([handler, count]) =>
    count < maxBlocks
      ? []
      : [
          {
            category: "looping hook",
            severity: "critical" as const,
            reference: handler,
            description: `${handler} kept a turn from ending ${count} times in a row`,
            recommendation: "Let it pass when `stopHookActive` is set, or when it has said the same before."
          }
        ]
  )
}

const dyingJobs = (facts: readonly ReadFact[]): readonly Finding[] => {
  const handlers = new Map<string, string>()
  const deaths = new Map<string, number>()
  for (const { data, stream, type } of facts) {
    if (type === "JOB_ENQUEUED") {
      const { handler, kind } = data as { handler?: string; kind?: string }
      handlers.set(stream, handler ?? kind ?? "?")
    }
    const handler = handlers.get(stream)
    if (type === "JOB_DIED" && handler !== undefined) deaths.set(handler, (deaths.get(handler) ?? 0) + 1)
  }
  return [...deaths].flatMap(([handler, count]) =>
    count < maxDeaths
      ? []
      : [
          {
            category: "looping hook",
            severity: "warning" as const,
            reference: handler,
            description: `${count} jobs of ${handler} used up all their attempts`,
            recommendation: "See why: hooktape jobs list --state dead"
          }
        ]
  )
}

export const loopingHooks = ({ facts }: Evidence): readonly Finding[] => [
  ...stopLoops(facts),
  ...dyingJobs(facts)
]
