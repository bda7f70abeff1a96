/** State directories on a file system of their own: small enough to be filled, and made read-only at will. */
import { spawnSync } from "node:child_process"
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const run = (command: string, ...words: readonly string[]): boolean =>
  spawnSync(command, words, { stdio: "ignore" }).status === 0

const mounted: string[] = []

const mount = (path: string, ...words: readonly string[]): void => {
  if (!run("mount", ...words, path)) throw new Error(`cannot mount ${path}`)
  mounted.push(path)
}

const unmount = (path: string): void => {
  run("umount", "-l", path)
  mounted.splice(mounted.lastIndexOf(path), 1)
}

/** After a test, however it ended; what still holds a file there is ended by others. */
export const unmountAll = (): void => {
  for (const path of [...mounted].reverse()) unmount(path)
}

const tryMounting = (): boolean => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false
  const path = mkdtempSync(join(homedir(), "mount-"))
  try {
    const works = run("mount", "-t", "tmpfs", "-o", "size=64k", "none", path)
    return works && run("umount", path)
  } finally {
    rmdirSync(path)
  }
}

/** Why the tests of bad disks cannot run here; empty where they can. */
export const whyNoMounts = tryMounting() ? "" : " (skipped: only root on Linux may mount)"

export const smallDisk = (path: string, megabytes: number): void => {
  mkdirSync(path, { recursive: true })
  mount(path, "-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "none")
  chmodSync(path, 0o700)
}

/** Takes all that is left, to the last byte; gives it back when called. */
export const fill = (path: string): (() => void) => {
  const file = join(path, "filling")
  const descriptor = openSync(file, "w", 0o600)
  for (let size = 1 << 20; size > 0; size >>= 1) {
    const piece = Buffer.alloc(size)
    try {
      while (writeSync(descriptor, piece) === size);
    } catch {
      // Smaller pieces still may find room.
    }
  }
  closeSync(descriptor)
  return () => rmSync(file)
}

/**
 * From now on nothing below it can be opened for writing; files that are open already can be written. Undone when called. It is made
 * read-only aside, where nobody opens a file at that moment: the kernel refuses it where somebody does.
 */
export const readOnly = (path: string): (() => void) => {
  const aside = mkdtempSync(join(homedir(), "aside-"))
  mount(aside, "--bind", path)
  if (!run("mount", "-o", "remount,bind,ro", aside)) throw new Error(`cannot make ${path} read-only`)
  mount(path, "--bind", aside)
  return () => {
    unmount(path)
    unmount(aside)
  }
}
