/** Keeps a compressed copy of what was said in a session. After the reply; nobody waits. */
import type { JsonObject } from "../../../events/intents.ts"
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { within } from "./budget.ts"

const megabyte = 1024 * 1024
const usual = { megabytes: 20, sessions: 50, days: 30 }

export const sessionBackup = defineHook({
  name: "session-backup",
  on: ["turn.stop", "session.end", "compact.before"],
  background: true,
  settings: usual,
  run: async ({ payload, services, session, settings }) => {
    const { transcript_path: path } = payload
    const transcript = typeof path === "string" ? path : ""
    if (session === null || transcript === "") return undefined
    const { bytes, file, removed, skipped } = await services.call(
      "back up",
      { session, transcript },
      async () => {
        const { backUp } = await import("./backUp.ts")
        const { state } = placeOf(services)
        const done = await backUp(
          {
            state,
            session,
            transcript,
            mostBytes: Math.floor(within(settings["megabytes"], 0.001, 1000, usual.megabytes) * megabyte),
            mostSessions: within(settings["sessions"], 1, 10_000, usual.sessions),
            mostDays: within(settings["days"], 1, 10_000, usual.days)
          },
          services.clock.now()
        )
        return { ...done } as JsonObject
      }
    )
    const gone = Number(removed) > 0 ? `; ${removed} older removed` : ""
    return diagnostic(
      "info",
      file === undefined ? `no copy: ${skipped}${gone}` : `${bytes} bytes kept in ${file}${gone}`
    )
  }
})
