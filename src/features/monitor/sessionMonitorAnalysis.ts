/** What the session monitor found, looked at by a model after the reply, and kept as a note. */
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { isDeep, isEnabled, monitorSettings } from "./settings.ts"

export const sessionMonitorAnalysis = defineHook({
  name: "session-monitor-analysis",
  on: "session.end",
  when: { matches: () => isEnabled(callEnvironment()) && isDeep(callEnvironment()) },
  background: true,
  // Longer than the model may take.
  deadline: "12 minutes",
  settings: { command: [], timeout: "120 seconds" },
  run: async ({ cwd, invocation, project, services, session, settings, signal }) => {
    const outcome = await services.call("session-monitor-analysis", invocation, async () => {
      const { deepAnalysis } = await import("./deepAnalysis.ts")
      const { storeNote } = await import("../notes/storeNote.ts")
      const { state } = placeOf(services)
      return deepAnalysis({
        state: state,
        invocation,
        project,
        settings: monitorSettings(settings),
        env: callEnvironment(),
        signal,
        run: (command, args, options) => services.run(command, args, options),
        store: async (note) => {
          const belongs = session === null ? {} : { session }
          const stored = await storeNote({
            ...note,
            ...belongs,
            state,
            project,
            cwd,
            source: "session-monitor"
          })
          if ("refused" in stored) throw new Error(`${stored.refused.handler}: ${stored.refused.reason}`)
        }
      })
    })
    return outcome["issuesFound"] === undefined ? undefined : diagnostic("info", JSON.stringify(outcome))
  }
})
