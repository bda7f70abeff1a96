/** Reads a file that a command names, to see what it would do. */
import { constants, open } from "node:fs/promises"

export interface FileText {
  readonly text: string
  /** Nothing stands behind it. */
  readonly isWhole: boolean
}

/** Its beginning, `maxBytes` at most; undefined for what is no file, or nobody's to read: a command could not read it either. */
export const fileText = async (path: string, maxBytes: number): Promise<FileText | undefined> => {
  try {
    // A pipe in its place is not waited for.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return undefined
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(Math.min(maxBytes, stat.size + 1))
      })
      return { text: buffer.toString("utf8", 0, bytesRead), isWhole: stat.size <= maxBytes }
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
