/** The session that a call names, before anything is made of it. */
import type { Adapter } from "../../agents/Adapter.ts"
import type { Head } from "../../runtime/host/wireProtocol.ts"
import { parsePayload } from "../../runtime/payload.ts"
import type { ReceivedPayload } from "../../runtime/stdin.ts"

export const sessionOf = (
  adapters: Readonly<{ [agent: string]: Adapter }>,
  { agent, agentEvent }: Pick<Head, "agent" | "agentEvent">,
  received: ReceivedPayload
): string | null => {
  const adapter = Object.hasOwn(adapters, agent) ? adapters[agent] : undefined
  const parsed = parsePayload(received)
  return adapter === undefined || "rejected" in parsed
    ? null
    : adapter.decode(agentEvent, parsed.payload).session
}
