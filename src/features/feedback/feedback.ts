/** Remembers what a person praised and what they corrected, so that a later session can find it. After the reply; nobody waits. */
import type { SessionId } from "../../../events/ids.ts"
import { diagnostic } from "../../../events/intents.ts"
import { feedbackOf } from "../../agents/feedback.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import type { Reader } from "../../log/reader.ts"
import { placeOf } from "../../runtime/services/place.ts"

/** A correction is worth more than praise. */
const importance = { negative: 0.6, positive: 0.4 } as const
const longestPrompt = 500

const judged = async (reader: Reader, session: SessionId | null, invocation: string, prompt: string) => {
  const [{ feedbackAfter }, { turnBefore }] = await Promise.all([
    import("./feedbackAfter.ts"),
    import("./turnBefore.ts")
  ])
  const before = session === null ? "unknown" : turnBefore(reader, session, invocation)
  return before === "unknown" ? feedbackOf(prompt) : feedbackAfter(prompt, before)
}

/** What was said, and of what. Pure. */
export const feedbackNote = (polarity: keyof typeof importance, about: string, prompt: string): string => {
  const said = prompt.trim().replaceAll(/\s+/g, " ")
  const shown = said.length > longestPrompt ? `${said.slice(0, longestPrompt - 1)}…` : said
  const heading = polarity === "negative" ? "Corrected" : "Praised"
  return shown === "" || shown === about ? `${heading}: ${about}` : `${heading}: ${about}\n\n${shown}`
}

/** What is longer is judged by its own words alone. */
const longestShort = 2000

export const feedback = defineHook({
  name: "feedback",
  on: ["prompt.submit", "feedback.given"],
  background: true,
  when: {
    // A prompt that an agent sends is judged with what came before it; praise that is sent by itself is taken as it is.
    matches: (context) =>
      context.event === "prompt.submit"
        ? context.prompt.length <= longestShort || feedbackOf(context.prompt) !== undefined
        : typeof (context.payload["prompt"] ?? context.payload["user_prompt"]) !== "string"
  },
  run: async (context) => {
    const { cwd, invocation, project, services, session } = context
    const prompt = context.event === "prompt.submit" ? context.prompt : ""
    const done = await services.call("feedback", { invocation, session }, async () => {
      const { reader, state } = placeOf(services)
      const given =
        context.event === "prompt.submit" ? await judged(reader, session, invocation, prompt) : context
      if (given === undefined) return {}
      const { about, polarity } = given
      const { storeNote } = await import("../notes/storeNote.ts")
      const stored = await storeNote({
        state,
        project,
        cwd,
        text: feedbackNote(polarity, about, prompt),
        kind: "feedback",
        tags: [polarity],
        importance: importance[polarity],
        ...(session === null ? {} : { session }),
        source: "hook feedback"
      })
      const kept =
        "refused" in stored ? `not kept: ${stored.refused.handler}: ${stored.refused.reason}` : "kept"
      return { kept, polarity }
    })
    return done.kept === undefined ? undefined : diagnostic("info", `${done.polarity} feedback, ${done.kept}`)
  }
})
