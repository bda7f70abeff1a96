/** Reads a file of a build or of the state directory: a device has no end and a pipe keeps its reader for ever, whoever laid them there. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"

/** No bundle of hooks is near it. */
const largest = 64_000_000

export const readRegular = (path: string): Buffer => {
  // A pipe in its place is not waited for.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.size > largest) throw new Error(`${path} is no file of a sane size`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
