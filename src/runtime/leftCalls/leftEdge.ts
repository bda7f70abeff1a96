/** Where what is answered to a call goes that its client left behind: nowhere, since the agent was told that no hook has a word on it. */
import type { Adapter, Transport } from "../../agents/Adapter.ts"
import { empty } from "../../agents/reply.ts"
import { type Edge, performed } from "../Edge.ts"

/** An answer that says anything else did not reach anybody. */
export const leftEdge = (adapter: Adapter, agentEvent: string, transport: Transport): Edge => {
  const neutral = performed(adapter.encode(agentEvent, transport, empty), "")
  return {
    deliver: (encoded, noise) => {
      const delivery = performed(encoded, noise)
      return delivery.exitCode === neutral.exitCode && delivery.stdout === neutral.stdout
        ? delivery
        : { ...delivery, error: new Error("its client took it for one that no hook has a word on") }
    }
  }
}
