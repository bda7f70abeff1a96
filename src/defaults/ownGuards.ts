/** Asks before an agent changes what guards it: the user's hooks and settings, agents' hook settings, hooktape's state and commands. */
import { modelContext } from "../../events/intents.ts"
import { defineHook } from "../hooks/defineHook.ts"
import { userHome } from "../log/state.ts"
import { weakenedBy } from "./ownGuards/weakenedBy.ts"

export const ownGuards = defineHook({
  name: "own-guards",
  on: "tool.before",
  when: { tool: ["shell", "edit", "mcp"] },
  priority: 5,
  run: ({ cwd, project, tool }) => {
    const { env } = process
    const what = weakenedBy(tool, { cwd, project, home: userHome(env), env })
    if (what === undefined) return undefined
    const question = {
      permission: "ask",
      reason: `own-guards: this ${what}. What guards an agent is for the person it works for to change: do it in a terminal, or say yes here.`
    } as const
    return modelContext(question)
  }
})
