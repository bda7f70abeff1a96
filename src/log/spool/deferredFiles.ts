/** The files in which clients leave calls for the next host. Apart from their handling, so that whoever finds none loads nothing of it. */
import { lstatSync, readdirSync } from "node:fs"

export const frameEnding = ".frame"

/** The names of calls that wait in a spool. */
export const deferredCalls = (spool: string): readonly string[] => {
  try {
    // Through a link it would be somebody else's.
    if (!lstatSync(spool).isDirectory()) return []
    return readdirSync(spool)
      .filter((name) => name.endsWith(frameEnding))
      .sort()
  } catch {
    return []
  }
}
