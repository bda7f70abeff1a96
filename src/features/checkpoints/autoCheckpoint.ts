/** Takes a checkpoint by itself when a turn or a session ends, where something was done since the last. Nobody waits. */
import type { JsonObject } from "../../../events/intents.ts"
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"

export const autoCheckpoint = defineHook({
  name: "auto-checkpoint",
  on: ["turn.stop", "session.end", "compact.before"],
  background: true,
  needsDirectory: true,
  run: async ({ cwd, event, project, services, session }) => {
    const { quality, refused, skipped } = await services.call("checkpoint", { event }, async () => {
      const { takeChanged } = await import("./takeChanged.ts")
      const { reader, state } = placeOf(services)
      const taken = await takeChanged(reader, {
        state,
        project,
        cwd,
        trigger: event,
        session: session ?? undefined
      })
      return { ...taken } as JsonObject
    })
    if (skipped !== undefined) return diagnostic("info", `no checkpoint: ${skipped}`)
    return diagnostic("info", refused === undefined ? `quality ${quality}` : `refused: ${refused}`)
  }
})
