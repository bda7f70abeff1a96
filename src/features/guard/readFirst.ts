/** Which commands of a call a guard is run for: those that reading them, when the call is planned, does not clear already. */
import type { Tool } from "../../../events/agentEvents.ts"
import { commandsOf } from "./commandsOf.ts"
import { shellGuardsNow } from "./loadShellGuards.ts"
import { glance, isPlain } from "./plain.ts"
import { areScriptsCleared } from "./scriptsHere.ts"
import type { shellGuards } from "./shellGuards.ts"

/** All commands of a call together. A condition is not watched: longer ones are read where the hook runs, which is. */
const longest = 2000

/** By which folder a command was read in, which guard-destructive has no word on. */
type Cleared = Map<string, string>

/**
 * What own-guards, which is asked first, found for guard-destructive on the way. It stands with the call, and is taken once: what is asked
 * again is looked at again.
 */
const clearedBefore = new WeakMap<Tool, Cleared>()

/** For own-guards: notes what is cleared for the other. */
export const noteCleared = (tool: Tool): ((command: string, folder: string) => void) => {
  const cleared: Cleared = new Map()
  clearedBefore.set(tool, cleared)
  return (command, folder) => void cleared.set(command, folder)
}

/** For guard-destructive: whether that was noted as its own turn came. */
export const takeCleared = (tool: Tool): ((command: string, folder: string) => boolean) => {
  const cleared = clearedBefore.get(tool)
  clearedBefore.delete(tool)
  return (command, folder) => cleared?.get(command) === folder
}

export interface ReadOptions {
  readonly load?: () => typeof shellGuards | undefined
  /** Where the commands run, for a guard that has a word on scripts that they start there. */
  readonly directory?: string
}

/**
 * `isCleared`: whether the guard has no word on a command, however often and by whomever it is asked again; `folder`: where a script of a
 * package runs.
 */
export const needsRun = (
  tool: Tool,
  isCleared: (guards: typeof shellGuards, command: string, folder?: string) => boolean,
  { directory, load = shellGuardsNow }: ReadOptions = {}
): boolean => {
  const all = commandsOf(tool)
  const commands = all.filter((command) => !isPlain(command))
  const startsScript = directory !== undefined && all.some((command) => glance(command).startsScript)
  if (commands.length === 0 && !startsScript) return false
  if (commands.reduce((sum, { length }) => sum + length, 0) > longest) return true
  const guards = load()
  // What is missing or fails is told by the run, which has words for it.
  if (guards === undefined) return true
  try {
    if (!commands.every((command) => isCleared(guards, command))) return true
    return (
      startsScript && !areScriptsCleared(directory, (script, folder) => isCleared(guards, script, folder))
    )
  } catch {
    return true
  }
}
