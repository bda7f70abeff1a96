/** Reads a script that a shell is told to run, for what nobody ever means. */
import { classify } from "./classify.ts"
import { fileText } from "./fileText.ts"
import { unread } from "./mentioned.ts"
import type { Place, ScriptDoes } from "./rule.ts"

/** `place`: with the folder in which the script is started. */
export type ScriptLook = (path: string, place: Place) => Promise<ScriptDoes | null>

/** A longer one was not written to do one thing. */
const maxBytes = 8192

/** Its first line names another reader than a shell, or it is no text. */
const isOthers = (text: string): boolean => /^#!(?![^\n]*sh\b)/.test(text) || text.includes("\0")

/**
 * Only what is blocked counts, and only where all of it was read: most scripts hold lines that nobody can judge without running them, and a
 * question about each of those would be answered yes without being read.
 */
export const scriptLook: ScriptLook = async (path, place) => {
  const script = await fileText(path, maxBytes)
  if (script === undefined || !script.isWhole || isOthers(script.text)) return null
  const { files: _, links: __, scripts: ___, ...plain } = place
  const found = classify(script.text, plain)
  if (found === undefined || found.action !== "block" || found.look !== undefined) return null
  return found.rule === "hidden-code" || found.reason.startsWith(unread)
    ? null
    : { rule: found.rule, reason: `The script ${path}: ${found.reason}` }
}
