/** What the command line says without loading any command: the version, and help. Everything else is undefined here. */
import { declarations } from "./declarations.ts"
import { commandHelp, helpText } from "./render/help.ts"
import type { Drawing } from "./render/stream.ts"
import { readWords } from "./syntax/read.ts"
import { readRoot } from "./syntax/root.ts"
import { version } from "./version.ts"

const ofHelp: ReadonlySet<string> = new Set(["help", "--help", "-h"])

export const answerOf = async (
  words: readonly string[],
  drawing: () => Drawing
): Promise<string | undefined> => {
  const isVersion = readRoot(words.slice(0, 1), []).kind === "version"
  if (isVersion) return `${version}\n`
  if (!words.some((word) => ofHelp.has(word))) return undefined
  const all = await declarations()
  const asked = readRoot(words, Object.keys(all))
  if (asked.kind === "help") return helpText(version, all, drawing())
  const command = asked.kind === "command" ? all[asked.name] : undefined
  if (asked.kind !== "command" || command === undefined) return undefined
  return readWords(asked.name, command, asked.words).kind === "help"
    ? commandHelp(asked.name, command, drawing())
    : undefined
}
