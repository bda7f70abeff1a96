/** Reads a command line into its commands: unbash reads the shell's grammar, this turns its tree into what the rules look at. */
import { parse as parseShell } from "unbash"
import type { Adapting } from "./Adapting.ts"
import { adaptScript } from "./adaptCommand.ts"
import { type Budget, passOver, type Script } from "./script.ts"

/** Longer commands are not read. Agents write a few thousand characters, and files they write go through here-documents. */
const maxLength = 131_072
/** Brackets within brackets beyond this are not read: reading them takes as many calls within calls. */
const maxDepth = 150

/** How deep the text may nest at most, counted without looking at quotes: never less than what a shell would see. */
const nests = (text: string): boolean => {
  if (text.length <= maxDepth) return false
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x28 || char === 0x7b) open++
    else if ((char === 0x29 || char === 0x7d) && open > 0) open--
    if (open > maxDepth) return true
  }
  return false
}

/** What a shell would not take of it: of that the rules see only a part. */
export const wrongIn = (text: string): string | undefined =>
  text.length > maxLength || nests(text) ? undefined : parseShell(text).errors?.[0]?.message

/**
 * What cannot be read to its end is marked as unread in `budget`, and what could be read of it is still returned: the rules see
 * that much, and the rest is judged letter by letter.
 */
export const parse = (text: string, budget: Budget): Script => {
  budget.left -= text.length + 1
  if (budget.left < 0) return []
  if (text.length > maxLength || nests(text)) {
    passOver(budget)
    return []
  }
  const adapting: Adapting = {
    budget,
    readText: (inner) => parse(inner, budget),
    readTree: (tree) => adaptScript(tree, adapting)
  }
  return adaptScript(parseShell(text), adapting)
}
