/** What a migration does to the disk, one operation at a time: a port, so that a test can end the work before any of them. */
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync
} from "node:fs"
import { dirname } from "node:path"
import { newFile } from "../../state/state.ts"

export interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface Disk {
  /** A file that must not have been there, whole on the disk when this returns. */
  readonly create: (file: string, bytes: Uint8Array, mode: number, owner?: Owner) => void
  readonly rename: (from: string, to: string) => void
  /** One that is not there is removed already. */
  readonly remove: (file: string) => void
  /** Private, whatever the original is. */
  readonly copy: (from: string, to: string) => void
  readonly folder: (path: string, mode: number) => void
  /** How many bytes can still be written where a file is. */
  readonly room: (file: string) => number
  /** Nothing by itself: names a moment between two operations that the disk does not see, such as a commit. */
  readonly moment: (name: string) => void
}

const flush = (file: string): void => {
  const descriptor = openSync(file, constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const realDisk: Disk = {
  create: (file, bytes, mode, owner) => {
    const descriptor = openSync(file, newFile, mode)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
      // The umask took its part from the mode at opening.
      fchmodSync(descriptor, mode)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (owner === undefined) return
    try {
      chownSync(file, owner.uid, owner.gid)
    } catch {
      // Only root can give a file back to whom it belongs; for everybody else it is their own already.
    }
  },
  rename: (from, to) => {
    renameSync(from, to)
    try {
      flush(dirname(to))
    } catch {
      // The content is safe without it; not every file system lets a directory be opened.
    }
  },
  remove: (file) => rmSync(file, { force: true }),
  copy: (from, to) => {
    copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    chmodSync(to, 0o600)
    flush(to)
  },
  folder: (path, mode) => void mkdirSync(path, { recursive: true, mode }),
  room: (file) => {
    const { bavail, bsize } = statfsSync(file)
    return bavail * bsize
  },
  moment: () => undefined
}

/** Beside the file. What an interrupted work left of it is the next one's to replace. */
export const asideOf = (file: string): string => `${file}.migrating`

/** Readers see the one before or this one, never half of it. */
export const replaceFile = (
  disk: Disk,
  file: string,
  bytes: Uint8Array,
  mode: number,
  owner?: Owner
): void => {
  const aside = asideOf(file)
  disk.remove(aside)
  disk.create(aside, bytes, mode, owner)
  disk.rename(aside, file)
}
