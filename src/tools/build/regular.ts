/** Reads files of strangers: only what is a file of a sane size. A device or a pipe would keep its reader waiting for ever. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs"

/** Of a file that somebody wrote; what packages ship can be larger. */
export const largestFile = 2 * 1024 * 1024
export const largestPackageFile = 16 * 1024 * 1024

/** The content. Throws a sentence about the file that can follow its name. */
export const readRegular = (file: string, limit: number = largestFile): Buffer => {
  // To open a device can already have an effect, so it is looked at before as well.
  if (!statSync(file).isFile()) throw new Error("is not a regular file")
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Error("is not a regular file")
    if (stat.size > limit) throw new Error(`is larger than ${limit / 1024 / 1024} MB`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
