/** Stops shell commands that destroy what cannot be had back, before they run, or asks the human about them. */
import { blockingFeedback, modelContext } from "../../events/intents.ts"
import { defineHook } from "../hooks/defineHook.ts"
import { directoryOf } from "./guard/directoryOf.ts"
import { isPlain } from "./guard/plain.ts"
import { loadShellGuards, unloaded } from "./loadShellGuards.ts"

export const guardDestructive = defineHook({
  name: "guard-destructive",
  on: "tool.before",
  when: { tool: "shell", matches: ({ tool }) => !isPlain(tool.command ?? "") },
  priority: 10,
  // What cannot be told is for its user to say.
  onFailure: "ask",
  settings: { allow: [], off: [], packs: {} },
  run: async ({ cwd, project, services, settings, tool }) => {
    const guards = await loadShellGuards()
    if (guards === undefined)
      return modelContext({ permission: "ask", reason: `guard-destructive: ${unloaded}` })
    const { classifyLooking, explanation, gitStatus, placeOf } = guards
    const verdict = await classifyLooking(
      tool.command ?? "",
      placeOf(settings, { cwd: directoryOf(tool, cwd), project }),
      (folder) => services.call("git status", folder, () => gitStatus(folder))
    )
    if (verdict === undefined) return undefined
    const reason = explanation(verdict)
    return verdict.action === "block" ? blockingFeedback(reason) : modelContext({ permission: "ask", reason })
  }
})
