/** Reads a script that a shell is told to run, for what nobody ever means. */
import { constants, open } from "node:fs/promises"
import { classify } from "./classify.ts"
import { unread } from "./mentioned.ts"
import type { Place, ScriptDoes } from "./rule.ts"

export type ScriptLook = (path: string, place: Place) => Promise<ScriptDoes | null>

/** A longer one was not written to do one thing. */
const maxBytes = 8192

/**
 * Only what is blocked counts, and only where all of it was read: most scripts hold lines that nobody can judge without running them, and a
 * question about each of those would be answered yes without being read.
 */
export const scriptLook: ScriptLook = async (path, place) => {
  try {
    // A pipe in its place is not waited for.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > maxBytes) return null
      const text = await file.readFile("utf8")
      if (/^#!(?![^\n]*sh\b)/.test(text)) return null
      const { files: _, links: __, scripts: ___, ...plain } = place
      const found = classify(text, plain)
      if (found === undefined || found.action !== "block" || found.look !== undefined) return null
      return found.rule === "hidden-code" || found.reason.startsWith(unread)
        ? null
        : { rule: found.rule, reason: `The script ${path}: ${found.reason}` }
    } finally {
      await file.close()
    }
  } catch {
    // What is not there, or is nobody's to read, a shell cannot run either.
    return null
  }
}
