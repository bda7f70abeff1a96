/** Keeps how long each turn took in a file of its own. After the reply: nobody waits. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { defineHook } from "hooktape"

export default defineHook({
  name: "turn-times",
  on: "turn.stop",
  background: true,
  settings: { file: "turn-times.tsv" },
  run: async ({ agent, project, services, session, settings, timestamp }) => {
    if (session === null) return
    const { facts } = await services.log.facts({ types: ["PAYLOAD_BUFFERED"], session, pick: [] })
    const prompt = facts.find(({ event }) => event === "prompt.submit")
    if (prompt === undefined) return
    const seconds = Math.round((Date.parse(timestamp) - prompt.at) / 1000)
    // Whatever changes the world goes through `call`: a replay does not do it again.
    await services.call("append", { seconds }, () => {
      appendFileSync(join(project, String(settings["file"])), `${timestamp}\t${agent}\t${seconds}\n`)
      return "appended"
    })
  }
})
