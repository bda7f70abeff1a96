/** Keeps what answers say that a later session can use, and how people took them. After the reply; nobody waits. */
import type { JsonObject } from "../../../../events/intents.ts"
import { diagnostic } from "../../../../events/intents.ts"
import { defineHook } from "../../../hooks/defineHook.ts"
import { placeOf } from "../../../runtime/services/place.ts"
import { type Learned, learnedText } from "../learned.ts"

export const learn = defineHook({
  name: "learn",
  on: ["response.given", "feedback.given"],
  background: true,
  run: async (context) => {
    const { cwd, invocation, project, services, session } = context
    const outcome = await services.call("learn", { invocation, session }, async () => {
      const { learnAnswer, learnFeedback } = await import("../learnFromAnswers.ts")
      const { reader, state } = placeOf(services)
      const learner = { state, project, cwd, session, source: "hook learn" }
      const learned =
        context.event === "response.given"
          ? await learnAnswer(reader, learner, { from: invocation, text: context.text })
          : await learnFeedback(reader, learner, { invocation, polarity: context.polarity })
      return { ...learned } as JsonObject
    })
    const { found, off } = outcome
    if (off !== undefined) return diagnostic("warn", `nothing is learned: ${off}`)
    return found === undefined || found === 0
      ? undefined
      : diagnostic("info", learnedText(outcome as unknown as Learned))
  }
})
