/** Keeps the agent from committing on the main branch: work goes to a branch of its own. */
import { blockingFeedback, defineHook } from "hooktape"

export default defineHook({
  name: "no-commits-on-main",
  on: "tool.before",
  when: { tool: "shell", command: /\bgit\b.*\b(commit|merge|cherry-pick)\b/ },
  settings: { branches: ["main", "master"] },
  run: async ({ services, settings }) => {
    const { stdout } = await services.run("git", ["branch", "--show-current"])
    const branch = stdout.trim()
    return (settings["branches"] as readonly string[]).includes(branch)
      ? blockingFeedback(`Nothing is committed on ${branch}: make a branch first (git switch -c <name>).`)
      : undefined
  }
})
