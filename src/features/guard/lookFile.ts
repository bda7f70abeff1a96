/** Looks into a file that a database's client is told to run. */
import { constants, open } from "node:fs/promises"
import { judges } from "./packs/databases.ts"
import type { Language } from "./rule.ts"

/** What a file does to data: nothing is "". */
export type FileDoes = (path: string, language: Language) => Promise<string>

/** A dump says at its beginning what it drops. */
const maxBytes = 1_000_000

export const fileDoes: FileDoes = async (path, language) => {
  try {
    // A pipe in its place is not waited for.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      if (!(await file.stat()).isFile()) return ""
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxBytes) })
      return judges[language](buffer.toString("utf8", 0, bytesRead)) ?? ""
    } finally {
      await file.close()
    }
  } catch {
    // What is not there, or is nobody's to read, the client cannot run either.
    return ""
  }
}
