/** Tells the model once in a session which ticket the branch is for: `feature/ABC-123-login` is for ABC-123. */
import { defineHook, modelContext } from "hooktape"

export default defineHook({
  name: "ticket",
  on: "prompt.submit",
  once: "session",
  settings: { pattern: "[A-Z][A-Z0-9]+-[0-9]+" },
  run: async ({ services, settings }) => {
    const { stdout } = await services.run("git", ["branch", "--show-current"])
    const ticket = new RegExp(String(settings["pattern"])).exec(stdout)?.[0]
    return ticket === undefined
      ? undefined
      : modelContext(`This branch is for ticket ${ticket}: begin commit messages with it.`)
  }
})
