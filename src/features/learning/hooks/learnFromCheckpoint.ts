/** Learns from a checkpoint that is good enough: what the project is tested and built with, and what was said on the way there. */
import type { JsonObject } from "../../../../events/intents.ts"
import { diagnostic } from "../../../../events/intents.ts"
import { defineHook } from "../../../hooks/defineHook.ts"
import { placeOf } from "../../../runtime/services/place.ts"
import { type Learned, learnedText } from "../learned.ts"

export const usualQuality = 85

export const learnFromCheckpoint = defineHook({
  name: "learn-from-checkpoint",
  on: "checkpoint.after",
  priority: 200,
  background: true,
  settings: { above: usualQuality },
  run: async ({ checkpoint, cwd, project, quality, services, session, settings }) => {
    const wanted = settings["above"]
    const above = typeof wanted === "number" && wanted >= 0 && wanted <= 100 ? wanted : usualQuality
    if (quality <= above)
      return diagnostic("info", `quality ${quality}: nothing is learned from ${above} or less`)
    const outcome = await services.call("learn from checkpoint", { checkpoint, session }, async () => {
      const { learnCheckpoint } = await import("../learnCheckpoint.ts")
      const { reader, state } = placeOf(services)
      const learner = { state, project, cwd, session, source: "hook learn-from-checkpoint" }
      return { ...(await learnCheckpoint(reader, learner, checkpoint)) } as JsonObject
    })
    const { off } = outcome
    if (off !== undefined) return diagnostic("warn", `quality ${quality}: nothing is learned: ${off}`)
    return diagnostic("info", `quality ${quality}: ${learnedText(outcome as unknown as Learned)}`)
  }
})
