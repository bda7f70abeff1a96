/** Runs the tests that an edit affects, after the reply, and tells the model with the next thing it reads. Change the command to yours. */
import { defineHook, modelContext } from "hooktape"

export default defineHook({
  name: "affected-tests",
  on: "file.edited",
  when: { path: "**/*.{js,jsx,ts,tsx}" },
  background: true,
  deadline: "5 minutes",
  // Of several edits in a row the last one counts.
  deliver: { to: "next", keep: "newest" },
  settings: { command: ["npx", "--no-install", "vitest", "related", "--run"] },
  run: async ({ path, project, services, settings }) => {
    const [program = "", ...args] = settings["command"] as readonly string[]
    const { exitCode, stderr, stdout } = await services.run(program, [...args, path], {
      cwd: project,
      timeout: 240_000
    })
    if (exitCode === null || exitCode === 0) return undefined
    return modelContext(`Tests fail since ${path} was edited:\n${(stdout + stderr).slice(-2000)}`)
  }
})
