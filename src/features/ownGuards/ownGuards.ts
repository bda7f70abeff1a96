/** Asks before an agent changes what guards it: the user's hooks and settings, agents' hook settings, hooktape's state and commands. */
import type { Tool } from "../../../events/agentEvents.ts"
import { type ModelContext, modelContext } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { userHome } from "../../state/state.ts"
import { commandsOf } from "../guard/commandsOf.ts"
import { directoryOf } from "../guard/directoryOf.ts"
import { loadShellGuards, unloaded } from "../guard/loadShellGuards.ts"
import { isPlain } from "../guard/plain.ts"
import { needsRun, noteCleared } from "../guard/readFirst.ts"
import type { GuardedPlace } from "./guarded.ts"
import { weakenedByEdit } from "./weakenedByEdit.ts"

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

const placeFor = ({ cwd, project }: Called): GuardedPlace => {
  const env = callEnvironment()
  return { cwd, project, home: userHome(env), env }
}

/** Every path of an agent's own edit is known; a server's tool may be given both paths and a command. */
const aboutPaths = (called: Called): string | undefined =>
  called.tool.kind === "edit" || called.tool.kind === "mcp"
    ? weakenedByEdit(called.tool, placeFor(called))
    : undefined

const commandPlace = (called: Called): GuardedPlace => {
  const around = placeFor(called)
  return { ...around, cwd: directoryOf(called.tool, called.cwd, around.env) }
}

const aboutCommands = async (
  commands: readonly string[],
  called: Called
): Promise<ModelContext | undefined> => {
  // Before anything is waited for: the environment is the call's until then.
  const place = commandPlace(called)
  const guards = await loadShellGuards()
  if (guards === undefined) return modelContext({ permission: "ask", reason: `own-guards: ${unloaded}` })
  for (const command of commands) {
    const found = guards.weakenedByShell(command, place)
    if (found !== undefined) return question(found)
  }
  return undefined
}

/** Whether reading its commands as it is planned does not already say that there is nothing to ask. */
const areCommandsOpen = (called: Called): boolean => {
  let place: GuardedPlace | undefined
  const note = noteCleared(called.tool)
  return needsRun(called.tool, ({ placeOf, readTogether }, command) => {
    place ??= commandPlace(called)
    const { cwd, env: environment, project } = place
    const { isCleared, weakened } = readTogether(command, place, placeOf({}, { cwd, project, environment }))
    if (isCleared) note(command, cwd)
    return weakened === undefined
  })
}

export const ownGuards = defineHook({
  name: "own-guards",
  on: "tool.before",
  when: {
    tool: ["shell", "edit", "mcp", "other"],
    // To run is what costs: almost every edit, and most commands, need none of it.
    matches: (called) => areCommandsOpen(called) || aboutPaths(called) !== undefined
  },
  priority: 5,
  // What cannot be told is for its user to say.
  onFailure: "ask",
  run: ({ cwd, project, tool }) => {
    const called = { cwd, project, tool }
    const commands = commandsOf(tool).filter((command) => !isPlain(command))
    return question(aboutPaths(called)) ?? (commands.length > 0 ? aboutCommands(commands, called) : undefined)
  }
})
