/** Asks before an agent changes what guards it: the user's hooks and settings, agents' hook settings, hooktape's state and commands. */
import type { Tool } from "../../events/agentEvents.ts"
import { type ModelContext, modelContext } from "../../events/intents.ts"
import { defineHook } from "../hooks/defineHook.ts"
import { userHome } from "../log/state.ts"
import { directoryOf } from "./guard/directoryOf.ts"
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

interface Called {
  readonly cwd: string
  readonly project: string
  readonly tool: Tool
}

const placeFor = ({ cwd, project, tool }: Called): GuardedPlace => {
  const { env } = process
  return { cwd: directoryOf(tool, cwd), project, home: userHome(env), env }
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
    matches: ({ cwd, project, tool }) =>
      tool.kind === "shell"
        ? !isPlain(tool.command ?? "")
        : weakenedByEdit(tool, placeFor({ cwd, project, tool })) !== undefined
  },
  priority: 5,
  // What cannot be told is for its user to say.
  onFailure: "ask",
  run: ({ cwd, project, tool }) => {
    const place = placeFor({ cwd, project, tool })
    return tool.kind === "shell" ? aboutCommand(tool, place) : question(weakenedByEdit(tool, place))
  }
})
