/** The lines of files that git does not follow yet, which no diff tells: counted where they lie, and never for long. */
import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"

/** More than a checkpoint's quality asks for. */
const maxFiles = 500
const maxBytes = 20_000_000
/** Nobody writes more than that by hand. */
const largest = 1_000_000
/** How far git itself looks for what tells a binary file. */
const head = 8000

const newline = 0x0a
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Of a plain text file; of anything else none. */
const linesOf = (bytes: Buffer): number => {
  if (bytes.length === 0 || bytes.subarray(0, head).includes(0)) return 0
  let lines = bytes.at(-1) === newline ? 0 : 1
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++
  return lines
}

const read = async (path: string, most: number): Promise<Buffer> => {
  const file = await open(path, flags)
  try {
    const stat = await file.stat()
    return stat.isFile() && stat.size <= Math.min(largest, most) ? await file.readFile() : Buffer.alloc(0)
  } finally {
    await file.close()
  }
}

/** `paths`: relative to the folder. */
export const untrackedLines = async (folder: string, paths: readonly string[]): Promise<number> => {
  let left = maxBytes
  let lines = 0
  for (const path of paths.slice(0, maxFiles)) {
    try {
      const bytes = await read(join(folder, path), left)
      left -= bytes.length
      lines += linesOf(bytes)
    } catch {
      // It was removed meanwhile, is a link, or is nobody's business.
    }
  }
  return lines
}
