/** What reads commands by the shell's grammar, loaded when the first command comes that needs it. */
import type { shellGuards } from "./shellGuards.ts"

/** Undefined where it is gone or damaged: whoever asks must not take that for a yes. */
export const loadShellGuards = async (): Promise<typeof shellGuards | undefined> => {
  try {
    return (await import("./shellGuards.ts")).shellGuards
  } catch {
    return undefined
  }
}

/** For the human, who is asked then. */
export const unloaded =
  'what reads commands is missing from the build, so nobody has looked at this one. Run "hooktape build" in a terminal.'
