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
const mostEntries = 1000

export const bounded = (wanted: number | undefined, usual: number, most: number): number =>
  wanted === undefined || !(wanted >= 0) ? usual : Math.min(Math.trunc(wanted), most)

const isMissing = (cause: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? "")

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
    throw cause
  }
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Error(`${path} is not a file`)
    const bytes = Buffer.alloc(Math.min(most, stat.size))
    const start = from === "start" ? 0 : stat.size - bytes.length
    let at = 0
    while (at < bytes.length) {
      const read = readSync(descriptor, bytes, at, bytes.length - at, start + at)
      if (read === 0) break
      at += read
    }
    return { bytes: bytes.subarray(0, at), size: stat.size }
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
    throw cause
  }
}

export const listAt = (path: string): readonly FileEntry[] | undefined => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, mostEntries)
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
    throw cause
  }
}
