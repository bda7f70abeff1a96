/** Invocations that never came to their end. */
import { isLost } from "../../../log/lost.ts"
import type { ReadFact } from "../../../log/reader.ts"
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

const manyLost = 10
const prefix = "invocation/"

export const lostInvocations = (
  { facts, now }: Evidence,
  alive?: (pid: number) => boolean
): readonly Finding[] => {
  const streams = new Map<string, ReadFact[]>()
  for (const fact of facts) {
    if (!fact.stream.startsWith(prefix)) continue
    const list = streams.get(fact.stream)
    if (list !== undefined) list.push(fact)
    else if (fact.type === "INVOCATION_OPENED") streams.set(fact.stream, [fact])
  }
  const lost = [...streams].filter(([, list]) => isLost(list, now, alive))
  const [first] = lost
  if (first === undefined) return []
  const [stream, [opened]] = first
  const { agentEvent = "" } = (opened?.data ?? {}) as { agentEvent?: string }
  const id = stream.slice(prefix.length)
  return [
    {
      category: "lost invocation",
      severity: lost.length >= manyLost ? "critical" : "warning",
      reference: id,
      description: `${lost.length} invocation${lost.length === 1 ? "" : "s"} never ended, such as ${agentEvent} ${id.slice(-8)}`,
      recommendation: `See how far it came: hooktape show ${id.slice(-8)}`
    }
  ]
}
