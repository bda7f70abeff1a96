/** Helps where a command is not there: names the scripts that the project has. */
import { defineHook, modelContext } from "hooktape"

export default defineHook({
  name: "not-found",
  on: "command.ran",
  run: async ({ exitCode, output, services }) => {
    if (exitCode !== 127 && !/command not found|No such file or directory/.test(output)) return undefined
    const manifest = await services.files.read("package.json")
    if (manifest === undefined) return undefined
    const { scripts = {} } = JSON.parse(manifest.text) as { scripts?: Record<string, string> }
    const names = Object.keys(scripts)
    return names.length === 0
      ? undefined
      : modelContext(`The project's scripts are: ${names.map((name) => `npm run ${name}`).join(", ")}.`)
  }
})
