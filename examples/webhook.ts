/** Tells a web address of your own how many tool calls a turn took. After the reply, tried again where nobody answers; set the address first. */
import { defineHook } from "hooktape"

export default defineHook({
  name: "webhook",
  on: "turn.stop",
  background: true,
  retry: { attempts: 3 },
  settings: { url: "" },
  run: async ({ agent, services, session, settings, timestamp }) => {
    const url = String(settings["url"])
    if (url === "" || session === null) return
    const { facts } = await services.log.facts({ types: ["PAYLOAD_BUFFERED"], session, pick: [] })
    const prompt = facts.findIndex(({ event }) => event === "prompt.submit")
    const calls = (prompt === -1 ? facts : facts.slice(0, prompt)).filter(
      ({ event }) => event === "tool.before"
    )
    const report = { agent, session, at: timestamp, toolCalls: calls.length }
    // Whatever changes the world goes through `call`: a replay does not do it again.
    await services.call("post", report, async () => {
      const { ok, status } = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(report)
      })
      if (!ok) throw new Error(`${url} answered ${status}`)
      return status
    })
  }
})
