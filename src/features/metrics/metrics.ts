/** Keeps how a session stood at each of its checkpoints. Its failure is no failure of the checkpoint. */
import type { JsonObject } from "../../../events/intents.ts"
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"

export const metrics = defineHook({
  name: "metrics",
  on: "checkpoint.after",
  // After what learns from the checkpoint.
  priority: 300,
  background: true,
  run: async ({ checkpoint, project, services, session }) => {
    const { figures, off } = await services.call("metrics", { checkpoint, session }, async () => {
      const { recordMetrics } = await import("./recordMetrics.ts")
      const { reader, state } = placeOf(services)
      return { ...recordMetrics(reader, { state, project, session, checkpoint }) } as JsonObject
    })
    return off === undefined
      ? diagnostic("info", `${figures} figures of the session were kept`)
      : diagnostic("info", `no figures were kept: ${off}`)
  }
})
