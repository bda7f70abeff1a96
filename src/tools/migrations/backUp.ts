/** A copy of a file before it is changed: one per change, under `backups/`, named by time and content like those of `install`. */
import { existsSync, lstatSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { privateDirectory } from "../../state/state.ts"
import type { Disk } from "./Disk.ts"

export const backupFile = (state: string, at: number, digest: string, file: string): string => {
  const time = new Date(at).toISOString().replaceAll(/[-:]/g, "")
  return join(state, "backups", `${time}-${digest.slice(0, 12)}-${basename(file)}`)
}

const asideIn = (folder: string): string => join(folder, ".migrating")

/** `write` makes the copy where it is told to. */
export const keepCopy = (disk: Disk, file: string, write: (aside: string) => void): void => {
  const folder = dirname(file)
  const aside = asideIn(folder)
  disk.folder(folder, 0o700)
  // Behind a link it would be somebody else's to read, or to change before it is put back.
  privateDirectory(folder)
  // Of the same instant with the same content there is one already.
  if (existsSync(file)) return
  disk.remove(aside)
  write(aside)
  disk.rename(aside, file)
}

/** Half a copy, where the work was cut off amid one. */
export const removeHalfCopy = (disk: Disk, state: string): void => {
  const folder = join(state, "backups")
  // Nothing of ours lies behind a link.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  const aside = asideIn(folder)
  if (existsSync(aside)) disk.remove(aside)
}
