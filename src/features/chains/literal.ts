/** How much an error of the same signature is literally the same: by its paths, quoted words and numbers, without those that differ from run to run. Pure. */
import { tellingLine } from "../../agents/signature.ts"

const sources =
  "[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kts?|swift|c|cc|cpp|h|hpp|cs|php|s?css|html|json|ya?ml|toml|md|sh|sql|lua|exs?|dart|scala|zig"

/** Of what lies in a temporary folder only the name of the file says anything, and that only where it lies deeper. */
const temporary =
  /(?:\/private)?(?:\/var\/tmp|\/tmp|\/var\/folders\/[^/\s]+\/[^/\s]+\/T)(?:\/[^\s/'"`:;,()]+)+|[A-Z]:\\Users\\[^\\\s]+\\AppData\\Local\\Temp(?:\\[^\s\\'"`:;,()]+)+/gi

const nameIn = (path: string): string => {
  const [, within = ""] = path.split(/\/tmp\/|\/T\/|\\Temp\\/i)
  const names = within.split(/[\\/]/)
  const last = names.at(-1) ?? ""
  return names.length > 1 && /\.\w+$/.test(last) ? `‹tmp›/${last}` : "‹tmp›"
}

const steady = (line: string): string =>
  line
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are what is taken out
    .replace(/\u001b\[[0-9;]{0,16}[A-Za-z]/g, "")
    .replace(temporary, nameIn)
    .replace(new RegExp(`(\\.(?:${sources}))(?::\\d+){1,2}\\b`, "gi"), "$1")
    .replace(new RegExp(`(\\.(?:${sources}))\\(\\d+(?:,\\d+)?\\)`, "gi"), "$1")
    .replace(/\b(line|column|col) \d+/gi, "$1")
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|milliseconds?|min|minutes?)\b/gi, "‹time›")
    .replace(/\b(pid|pgid|process|node)([ :=]{1,2})\d+\b/gi, "$1$2")
    .replace(/\b0x[0-9a-f]+\b/gi, "‹hex›")

/** The words that a signature leaves out. */
const literalsOf = (message: string): readonly string[] =>
  (steady(tellingLine(message)).match(/"[^"]*"|'[^']*'|`[^`]*`|\S+/g) ?? []).filter((word) =>
    /["'`\d\\/]/.test(word)
  )

/** What both have, of what either has: 0–1. */
export const literalLikeness = (one: string, other: string): number => {
  const [mine, theirs] = [literalsOf(one), literalsOf(other)]
  const left = [...theirs]
  let shared = 0
  for (const word of mine) {
    const at = left.indexOf(word)
    if (at < 0) continue
    left.splice(at, 1)
    shared++
  }
  const all = mine.length + theirs.length
  return all === 0 ? 1 : (2 * shared) / all
}
