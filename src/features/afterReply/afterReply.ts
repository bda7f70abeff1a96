/** Says at a session's next event what background hooks found out after an earlier reply. A build has it where a hook asks for it. */
import type { Json } from "../../../events/intents.ts"
import { defineHook, type Hook } from "../../hooks/defineHook.ts"
import { hearing } from "../../hooks/delivery.ts"
import { placeOf } from "../../runtime/services/place.ts"
import type { AllHeard } from "./hear.ts"
import { hookName, saidOf } from "./saidOf.ts"

const said = defineHook({
  name: hookName,
  // Where the model goes on reading at once.
  on: ["session.start", "prompt.submit", "tool.after", "tool.failure"],
  deadline: "1 second",
  run: async ({ agent, agentEvent, invocation, payload, services, session }) => {
    if (session === null) return undefined
    const asked = { session, agentEvent }
    const all = await services.call("what waits for the session", asked, async () => {
      const { hear } = await import("./hear.ts")
      const { reader, state } = placeOf(services)
      const now = Date.now()
      const found = hear({ state, reader, agent, agentEvent, session, invocation, payload, now })
      return found as unknown as { readonly [part: string]: Json }
    })
    return saidOf(all as unknown as AllHeard)
  }
})

export const afterReply: Hook = { ...said, [hearing]: true }
