/** Asks before an agent changes what guards it: the user's hooks and settings, agents' hook settings, hooktape's state and commands. */
import type { Tool } from "../../events/agentEvents.ts"
import { type ModelContext, modelContext } from "../../events/intents.ts"
import { defineHook } from "../hooks/defineHook.ts"
import { userHome } from "../log/state.ts"
import { isPlain } from "./guard/plain.ts"
import { loadShellGuards, unloaded } from "./loadShellGuards.ts"
import type { GuardedPlace } from "./ownGuards/guarded.ts"
import { weakenedByEdit } from "./ownGuards/weakenedByEdit.ts"

const question = (what: string | undefined): ModelContext | undefined =>
  what === undefined
    ? undefined
    : modelContext({
        permission: "ask",
        reason: `own-guards: this ${what}. What guards an agent is for the person it works for to change: do it in a terminal, or say yes here.`
      })

const placeFor = ({ cwd, project }: { readonly cwd: string; readonly project: string }): GuardedPlace => {
  const { env } = process
  return { cwd, project, home: userHome(env), env }
}

const aboutCommand = async (tool: Tool, place: GuardedPlace): Promise<ModelContext | undefined> => {
  const guards = await loadShellGuards()
  return guards === undefined
    ? modelContext({ permission: "ask", reason: `own-guards: ${unloaded}` })
    : question(guards.weakenedByShell(tool.command ?? "", place))
}

export const ownGuards = defineHook({
  name: "own-guards",
  on: "tool.before",
  when: {
    tool: ["shell", "edit", "mcp"],
    // To run is what costs: almost every edit, and most commands, need none of it.
    matches: ({ tool, ...call }) =>
      tool.kind === "shell"
        ? !isPlain(tool.command ?? "")
        : weakenedByEdit(tool, placeFor(call)) !== undefined
  },
  priority: 5,
  run: ({ tool, ...call }) =>
    tool.kind === "shell"
      ? aboutCommand(tool, placeFor(call))
      : question(weakenedByEdit(tool, placeFor(call)))
})
