/** Stops shell commands that destroy what cannot be had back, before they run, or asks the human about them. */
import { blockingFeedback, type JsonObject, modelContext } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { commandsOf } from "./commandsOf.ts"
import { directoryOf } from "./directoryOf.ts"
import { loadShellGuards, unloaded } from "./loadShellGuards.ts"
import { needsRun, takeCleared } from "./readFirst.ts"

/** Nothing is allowed or switched off, and no pack does anything else. */
const isAsShipped = (settings: JsonObject): boolean =>
  Object.values(settings).every(
    (value) => typeof value === "object" && value !== null && Object.keys(value).length === 0
  )

export const guardDestructive = defineHook({
  name: "guard-destructive",
  on: "tool.before",
  when: {
    tool: ["shell", "mcp", "other"],
    // To run is what costs: of most commands that have to be read, reading them says that there is nothing to run for.
    matches: ({ cwd, project, settings, tool }) => {
      const environment = callEnvironment()
      const directory = directoryOf(tool, cwd, environment)
      const wasCleared = takeCleared(tool)
      return needsRun(
        tool,
        ({ isCleared, placeOf }, command, folder = directory) =>
          (isAsShipped(settings) && wasCleared(command, folder)) ||
          isCleared(command, placeOf(settings, { cwd: folder, project, environment })),
        { directory }
      )
    }
  },
  priority: 10,
  // What cannot be told is for its user to say.
  onFailure: "ask",
  settings: { allow: [], off: [], packs: {} },
  run: async ({ cwd, project, services, settings, tool }) => {
    const environment = callEnvironment()
    const guards = await loadShellGuards()
    if (guards === undefined)
      return modelContext({ permission: "ask", reason: `guard-destructive: ${unloaded}` })
    const { classifyLooking, explanation, fileDoes, gitStatus, placeOf, realFolder, scriptLook } = guards
    const place = placeOf(settings, { cwd: directoryOf(tool, cwd, environment), project, environment })
    let asked: string | undefined
    for (const command of commandsOf(tool)) {
      const verdict = await classifyLooking(
        command,
        place,
        (folder) => services.call("git status", folder, () => gitStatus(folder, environment)),
        async (folder, within) => {
          const real = await realFolder(folder, within)
          // Hardly any folder is a link: what lies where its name says needs no place on the record.
          return real === folder
            ? real
            : services.call("real folder", folder, () => realFolder(folder, within))
        },
        (path, language) => services.call("told by a file", path, () => fileDoes(path, language)),
        (started, seenFrom) =>
          services.call("done by a script", { ...started }, async () => {
            const does = await scriptLook(started, seenFrom)
            return does === null ? null : { ...does }
          })
      )
      if (verdict?.action === "block") return blockingFeedback(explanation(verdict))
      asked ??= verdict && explanation(verdict)
    }
    return asked === undefined ? undefined : modelContext({ permission: "ask", reason: asked })
  }
})
