/** A quick look at hooktape's own data when a session ends, reported to the operator. Does nothing unless a variable asks for it. */
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { enabledVariable, monitorSettings } from "./settings.ts"

export const sessionMonitor = defineHook({
  name: "session-monitor",
  on: "session.end",
  when: { matches: () => callEnvironment()[enabledVariable] !== undefined },
  priority: 990,
  settings: { cooldown: "60 seconds" },
  run: async ({ invocation, project, services, settings }) => {
    const { report } = await services.call("session-monitor", invocation, async () => {
      const { quickCheck } = await import("./quickCheck.ts")
      const checked = await quickCheck({
        state: placeOf(services).state,
        project,
        invocation,
        env: { ...callEnvironment() },
        settings: monitorSettings(settings)
      })
      return checked.report === undefined ? {} : { report: checked.report }
    })
    return report === undefined ? undefined : diagnostic("warn", report)
  }
})
