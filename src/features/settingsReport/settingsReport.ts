/** Tells the human at a session's start which files of the repository set variables that can leave an agent without its guards. */
import { userHint } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { weakenedBySettings, weakenedText } from "../../trust/weakenedBySettings.ts"

export const settingsReport = defineHook({
  name: "settings-report",
  on: "session.start",
  priority: 5,
  run: ({ project }) => {
    const found = weakenedBySettings(project)
    return found.length === 0
      ? undefined
      : userHint(`hooktape: ${found.map(weakenedText).join("; ")}. Take it out unless you put it there.`)
  }
})
