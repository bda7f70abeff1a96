/** At the end of a turn in which files were edited and no test ran, says so; once per turn, and only in projects with tests. */
import { defineHook, userHint } from "hooktape"

const isTest =
  /\b(npm|pnpm|yarn)\s+(run\s+)?test\b|\bvitest\b|\bjest\b|\bpytest\b|\bcargo\s+test\b|\bgo\s+test\b/

export default defineHook({
  name: "tests-after-edits",
  on: "turn.stop",
  run: async ({ services, session }) => {
    if (session === null) return undefined
    const { facts } = await services.log.facts({
      types: ["PAYLOAD_BUFFERED"],
      session,
      pick: ["tool.kind", "tool.command"]
    })
    // The newest come first: what was done since the prompt.
    const prompt = facts.findIndex(({ event }) => event === "prompt.submit")
    const turn = (prompt === -1 ? facts : facts.slice(0, prompt)).filter(
      ({ event }) => event === "tool.after"
    )
    const edited = turn.some(({ data }) => data["tool.kind"] === "edit")
    const tested = turn.some(({ data }) => isTest.test(String(data["tool.command"] ?? "")))
    return edited && !tested ? userHint("files were edited in this turn, and no test ran") : undefined
  }
})
