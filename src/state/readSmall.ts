/** Reads a file that anybody may have put there: only a regular one of a sane size. A device has no end, and a pipe may keep its reader for ever. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs"

export const maxSmall = 1_000_000

/** Undefined where nothing is, or a folder. What is there and cannot be read is said, in words that can follow its name. */
export const readSmall = (file: string): { readonly text: string } | { readonly not: string } | undefined => {
  const isOdd = (stat: { isFile: () => boolean; readonly size: number }): string | undefined => {
    if (!stat.isFile()) return "is not a regular file"
    return stat.size > maxSmall ? "is too large to look at" : undefined
  }
  try {
    // To open a device can already have an effect.
    const before = statSync(file)
    if (before.isDirectory()) return undefined
    const odd = isOdd(before)
    if (odd !== undefined) return { not: odd }
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const not = isOdd(fstatSync(descriptor))
      return not === undefined ? { text: readFileSync(descriptor, "utf8") } : { not }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}
