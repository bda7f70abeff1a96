/** Which commands of a call a guard is run for: those that reading them, when the call is planned, does not clear already. */
import type { Tool } from "../../../events/agentEvents.ts"
import { commandsOf } from "./commandsOf.ts"
import { shellGuardsNow } from "./loadShellGuards.ts"
import { isPlain } from "./plain.ts"
import type { shellGuards } from "./shellGuards.ts"

/** All commands of a call together. A condition is not watched: longer ones are read where the hook runs, which is. */
const longest = 2000

/** `isCleared`: whether the guard has no word on a command, however often and by whomever it is asked again. */
export const needsRun = (
  tool: Tool,
  isCleared: (guards: typeof shellGuards, command: string) => boolean,
  load: () => typeof shellGuards | undefined = shellGuardsNow
): boolean => {
  const commands = commandsOf(tool).filter((command) => !isPlain(command))
  if (commands.length === 0) return false
  if (commands.reduce((sum, { length }) => sum + length, 0) > longest) return true
  const guards = load()
  // What is missing or fails is told by the run, which has words for it.
  if (guards === undefined) return true
  try {
    return !commands.every((command) => isCleared(guards, command))
  } catch {
    return true
  }
}
