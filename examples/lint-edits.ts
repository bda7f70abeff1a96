/** Looks over each file that was edited with the project's linter, and tells the model what that finds. Change the command to yours. */
import { defineHook, modelContext } from "hooktape"

export default defineHook({
  name: "lint-edits",
  on: "file.edited",
  when: { path: "**/*.{js,jsx,ts,tsx}" },
  deadline: "20 seconds",
  settings: { command: ["npx", "--no-install", "eslint"] },
  run: async ({ path, project, services, settings }) => {
    const [program = "", ...args] = settings["command"] as readonly string[]
    const { exitCode, stdout } = await services.run(program, [...args, path], {
      cwd: project,
      timeout: 15_000
    })
    // 1 is how linters say that they found something; anything else is about the linter.
    return exitCode === 1 && stdout.trim() !== ""
      ? modelContext(`The linter says:\n${stdout.slice(0, 2000)}`)
      : undefined
  }
})
