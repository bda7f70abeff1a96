/** Removes what hooktape itself has left behind in its state directory: a little at each session's end, after the reply. */
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { sweep } from "./sweep.ts"

const given = (value: unknown, usual: number): number =>
  typeof value === "number" && value >= 0 ? value : usual

export const cleanup = defineHook({
  name: "cleanup",
  on: "session.end",
  background: true,
  settings: { days: 30, most: 200 },
  run: async ({ services, settings }) => {
    const limits = { days: given(settings["days"], 30), most: Math.min(given(settings["most"], 200), 5000) }
    const now = services.clock.now()
    const removed = await services.call("sweep", limits, () => sweep(placeOf(services).state, now, limits))
    const said = Object.entries(removed).map(([what, count]) => `${what} (${count})`)
    return said.length === 0 ? undefined : diagnostic("info", `removed ${said.join(", ")}`)
  }
})
