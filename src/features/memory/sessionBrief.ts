/** Tells a session at its start what those before it left: preferences, feedback, what is unresolved, the last summary. */
import { modelContext } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { leastConfidence } from "../learning/confidence.ts"
import { type Briefing, briefText } from "./brief.ts"
import { within } from "./budget.ts"

const usualTokens = 800

export const sessionBrief = defineHook({
  name: "session-brief",
  on: "session.start",
  deadline: "2 seconds",
  settings: { tokens: usualTokens, confidence: leastConfidence },
  run: async ({ project, services, session, settings, source }) => {
    // It has all of this already.
    if (source === "resume") return undefined
    const briefing = await services.call("brief", { session }, async () => {
      const { gatherBriefing } = await import("./gatherBriefing.ts")
      const { userFolder } = await import("../../state/userFolder.ts")
      const { reader, state } = placeOf(services)
      const least = within(settings["confidence"], 0, 1, leastConfidence)
      // Without what is undefined: as it will stand on the log.
      return JSON.parse(
        JSON.stringify(
          gatherBriefing(reader, {
            state,
            project,
            session,
            userFolder: userFolder(callEnvironment()),
            least,
            now: Date.now()
          })
        )
      )
    })
    const text = briefText(
      briefing as unknown as Briefing,
      within(settings["tokens"], 50, 20_000, usualTokens)
    )
    return text === undefined ? undefined : modelContext(text)
  }
})
