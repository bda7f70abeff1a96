/** Tells the model with each prompt which branch it works on, and how much is not committed. */
import { defineHook, modelContext } from "hooktape"

export default defineHook({
  name: "branch",
  on: "prompt.submit",
  run: async ({ services }) => {
    const branch = await services.run("git", ["branch", "--show-current"])
    if (branch.exitCode !== 0) return undefined
    const { stdout } = await services.run("git", ["status", "--porcelain"])
    const changed = stdout.split("\n").filter((line) => line !== "").length
    return modelContext(
      `The branch is ${branch.stdout.trim() || "none"}; ${changed} files are not committed.`
    )
  }
})
