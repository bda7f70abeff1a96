/** Remembers what a person praised and what they corrected, so that a later session can find it. After the reply; nobody waits. */
import { diagnostic } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { placeOf } from "../../runtime/services/place.ts"

/** A correction is worth more than praise. */
const importance = { negative: 0.6, positive: 0.4 } as const
const longestPrompt = 500

/** What was said, and of what. Pure. */
export const feedbackNote = (polarity: keyof typeof importance, about: string, prompt: string): string => {
  const said = prompt.trim().replaceAll(/\s+/g, " ")
  const shown = said.length > longestPrompt ? `${said.slice(0, longestPrompt - 1)}…` : said
  const heading = polarity === "negative" ? "Corrected" : "Praised"
  return shown === "" || shown === about ? `${heading}: ${about}` : `${heading}: ${about}\n\n${shown}`
}

export const feedback = defineHook({
  name: "feedback",
  on: "feedback.given",
  background: true,
  run: async ({ about, cwd, payload, polarity, project, services, session }) => {
    const prompt = [payload["prompt"], payload["user_prompt"]].find((one) => typeof one === "string")
    const text = feedbackNote(polarity, about, typeof prompt === "string" ? prompt : "")
    const kept = await services.call("feedback", text, async () => {
      const { storeNote } = await import("../notes/storeNote.ts")
      const { state } = placeOf(services)
      const stored = await storeNote({
        state,
        project,
        cwd,
        text,
        kind: "feedback",
        tags: [polarity],
        importance: importance[polarity],
        ...(session === null ? {} : { session }),
        source: "hook feedback"
      })
      return "refused" in stored ? `not kept: ${stored.refused.handler}: ${stored.refused.reason}` : "kept"
    })
    return diagnostic("info", `${polarity} feedback, ${kept}`)
  }
})
