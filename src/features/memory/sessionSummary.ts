/** Keeps what a session has done so far as a note, told from its facts. After the reply; nobody waits. */
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"

export const sessionSummary = defineHook({
  name: "session-summary",
  on: ["turn.stop", "session.end", "compact.before"],
  background: true,
  run: async ({ cwd, project, services, session }) => {
    if (session === null) return undefined
    const { skipped, stored } = await services.call("summarise", { session }, async () => {
      const { storeSummary } = await import("./storeSummary.ts")
      const { reader, state } = placeOf(services)
      return (await storeSummary(reader, { state, project, cwd, session })) as Outcome
    })
    return diagnostic("info", stored ?? `no summary: ${skipped}`)
  }
})

type Outcome = { readonly stored?: string; readonly skipped?: string } & { readonly [key: string]: string }
