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

/**
 * The same within one turn, for a condition. Bundles are CommonJS and have it; where the sources run as modules nothing is loaded at
 * once, and the hook runs.
 */
export const shellGuardsNow = (): typeof shellGuards | undefined => {
  try {
    // biome-ignore lint/correctness/useImportExtensions: the module has another ending when it is bundled than it has here.
    return (require("./shellGuards") as { readonly shellGuards: typeof shellGuards }).shellGuards
  } catch {
    return undefined
  }
}

/** For the human, who is asked then. */
export const unloaded =
  'what reads commands is missing from the build, so nobody has looked at this one. Run "hooktape build" in a terminal.'
