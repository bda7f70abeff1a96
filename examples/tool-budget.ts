/** Stops a turn that goes round in circles: after so many tool calls since the prompt the agent has to say where it stands. */
import { blockingFeedback, defineHook } from "hooktape"

export default defineHook({
  name: "tool-budget",
  on: "tool.before",
  settings: { most: 100 },
  run: async ({ services, session, settings }) => {
    if (session === null) return undefined
    const most = Number(settings["most"])
    const { facts } = await services.log.facts({
      types: ["PAYLOAD_BUFFERED"],
      session,
      pick: [],
      limit: Math.min(1000, 3 * most + 10)
    })
    // The newest come first.
    const prompt = facts.findIndex(({ event }) => event === "prompt.submit")
    const calls = (prompt === -1 ? facts : facts.slice(0, prompt)).filter(
      ({ event }) => event === "tool.before"
    )
    return calls.length > most
      ? blockingFeedback(
          `This turn has made ${most} tool calls: stop, and say what is done and what is left.`
        )
      : undefined
  }
})
