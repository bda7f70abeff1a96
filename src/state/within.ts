/** Where a path lies, told from its text alone. */
import { relative, sep } from "node:path"

/** The folder itself counts. */
export const isWithin = (path: string, folder: string): boolean => {
  const from = relative(folder, path)
  return from === "" || (from !== ".." && !from.startsWith(`..${sep}`) && !/^([A-Za-z]:)?[\\/]/.test(from))
}

/** A path that means another place for each process: `/proc/self/cwd` is whatever repository it works in, `/dev/fd/3` whatever it was given. */
export const isShifting = (path: string): boolean => isWithin(path, "/proc") || isWithin(path, "/dev")
