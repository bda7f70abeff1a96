/** Looks into a file that a database's client is told to run. */
import { fileText } from "./fileText.ts"
import { judges } from "./packs/databases.ts"
import type { Language } from "./rule.ts"

/** What a file does to data: nothing is "". */
export type FileDoes = (path: string, language: Language) => Promise<string>

/** A dump says at its beginning what it drops. */
const maxBytes = 1_000_000

export const fileDoes: FileDoes = async (path, language) => {
  const found = await fileText(path, maxBytes)
  return found === undefined ? "" : (judges[language](found.text) ?? "")
}
