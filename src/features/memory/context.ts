/** Gives the model what earlier sessions have on a prompt, each piece once in a session. */
import { modelContext } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { leastConfidence } from "../learning/confidence.ts"
import { within } from "./budget.ts"
import { type Recalled, recallText } from "./recall.ts"

const name = "context"
const usual = { tokens: 500, items: 4, confidence: leastConfidence }

export const context = defineHook({
  name,
  on: "prompt.submit",
  deadline: "1 second",
  settings: usual,
  run: async ({ cwd, project, prompt, services, session, settings }) => {
    if (prompt.trim() === "" || prompt.startsWith("/")) return undefined
    const items = await services.call("recall", { prompt: prompt.slice(0, 2000), session }, async () => {
      const { recallFor } = await import("./recallFor.ts")
      const { reader, state } = placeOf(services)
      const tokens = within(settings["tokens"], 20, 20_000, usual.tokens)
      const most = within(settings["items"], 1, 50, usual.items)
      const least = within(settings["confidence"], 0, 1, usual.confidence)
      const found = await recallFor(
        reader,
        { state, project, cwd, session, prompt, tokens, most, least, now: Date.now() },
        name
      )
      return found.map(({ id, kind, text }) => ({ id, kind, text }))
    })
    const text = recallText(items as readonly Recalled[])
    if (text === undefined) return undefined
    // Kept with the run: from here it is known that this session has them.
    return { intents: modelContext(text), metadata: { recalled: items.map(({ id }) => id) } }
  }
})
