/** Reads files for handlers: bounded, and what is not there is no error. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync
} from "node:fs"
import type { FileEntry, FileText } from "../hooks/Services.ts"

export const usualBytes = 65_536
export const mostBytes = 1_048_576
const maxEntries = 1000

export const bounded = (wanted: number | undefined, usual: number, most: number): number =>
  wanted === undefined || !(wanted >= 0) ? usual : Math.min(Math.trunc(wanted), most)

const isMissing = (cause: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? "")

const reasons: Readonly<Record<string, string>> = {
  EACCES: "may not be read by you",
  EPERM: "may not be read by you",
  EISDIR: "is a directory",
  ENOTDIR: "is no directory",
  ELOOP: "is a link that leads round in a circle",
  ENAMETOOLONG: "is too long for a path",
  ENXIO: "is not a file",
  EAGAIN: "has nothing to be read now",
  EMFILE: "cannot be opened: too many files are open",
  ENFILE: "cannot be opened: too many files are open",
  EIO: "cannot be read: the disk fails",
  ERR_INVALID_ARG_VALUE: "is no path"
}

/** A sentence in place of what the system calls it. */
const plainly = (path: string, cause: unknown): Error => {
  const { code = "", message } = cause as NodeJS.ErrnoException
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  return reason === undefined ? new Error(message) : new Error(`${path.replaceAll("\0", "\\0")} ${reason}`)
}

/** Files of `/proc` and the like say that they are empty, and are not. */
const readUnsized = (descriptor: number, most: number): { readonly bytes: Buffer; readonly size: number } => {
  const chunks: Buffer[] = []
  let size = 0
  // One more than is wanted tells that there is more.
  while (size <= most) {
    const chunk = Buffer.alloc(Math.min(usualBytes, most + 1 - size))
    const read = readSync(descriptor, chunk, 0, chunk.length, null)
    if (read === 0) break
    chunks.push(chunk.subarray(0, read))
    size += read
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), size }
}

/** Bytes from the beginning, or from the end, of a plain file; a pipe or a device could make a handler wait for ever. */
export const readPart = (
  path: string,
  most: number,
  from: "start" | "end" = "start"
): { readonly bytes: Buffer; readonly size: number } | undefined => {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw plainly(path, cause)
  }
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Error(`${path} is not a file`)
    if (stat.size === 0) return readUnsized(descriptor, most)
    const bytes = Buffer.alloc(Math.min(most, stat.size))
    const start = from === "start" ? 0 : stat.size - bytes.length
    let at = 0
    while (at < bytes.length) {
      const read = readSync(descriptor, bytes, at, bytes.length - at, start + at)
      if (read === 0) break
      at += read
    }
    return { bytes: bytes.subarray(0, at), size: stat.size }
  } catch (cause) {
    throw plainly(path, cause)
  } finally {
    closeSync(descriptor)
  }
}

/** Whole characters: the one that the end falls into is left out. */
const textOf = (bytes: Buffer, truncated: boolean): string => {
  const text = bytes.toString("utf8")
  return truncated ? text.replace(/\ufffd+$/, "") : text
}

export const readText = (path: string, maxBytes: number | undefined): FileText | undefined => {
  const part = readPart(path, bounded(maxBytes, usualBytes, mostBytes))
  if (part === undefined) return undefined
  const truncated = part.bytes.length < part.size
  return { text: textOf(part.bytes, truncated), bytes: part.size, truncated }
}

export const kindAt = (path: string): "file" | "directory" | "other" | undefined => {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    return stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other"
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw plainly(path, cause)
  }
}

export const listAt = (path: string): readonly FileEntry[] | undefined => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, maxEntries)
      .map((entry) => ({
        name: entry.name,
        kind: entry.isFile()
          ? "file"
          : entry.isDirectory()
            ? "directory"
            : entry.isSymbolicLink()
              ? "link"
              : "other"
      }))
  } catch (cause) {
    if (isMissing(cause) && lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    throw plainly(path, cause)
  }
}
