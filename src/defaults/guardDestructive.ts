/** Stops shell commands that destroy what cannot be had back, before they run, and says what to do instead. */
import { blockingFeedback } from "../../events/intents.ts"
import { defineHook } from "../hooks/defineHook.ts"
import { classify } from "./guard/classify.ts"
import { explanation, placeOf } from "./guard/settings.ts"

export const guardDestructive = defineHook({
  name: "guard-destructive",
  on: "tool.before",
  when: { tool: "shell" },
  priority: 10,
  settings: { allow: [], off: [] },
  run: ({ cwd, project, settings, tool }) => {
    const verdict = classify(tool.command ?? "", placeOf(settings, { cwd, project }))
    return verdict && blockingFeedback(explanation(verdict))
  }
})
