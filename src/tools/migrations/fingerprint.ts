/** What tells one content of a file from another. */
import { createHash } from "node:crypto"
import { closeSync, lstatSync, openSync, readFileSync, readSync } from "node:fs"
import { MigrationError } from "./MigrationError.ts"

export const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const chunk = 1 << 20

/** Of a file that may be large. */
export const digestOfFile = (file: string): string => {
  const hash = createHash("sha256")
  const buffer = Buffer.allocUnsafe(chunk)
  const descriptor = openSync(file, "r")
  try {
    for (;;) {
      const count = readSync(descriptor, buffer)
      if (count === 0) return hash.digest("hex")
      hash.update(buffer.subarray(0, count))
    }
  } finally {
    closeSync(descriptor)
  }
}

export interface Found {
  readonly bytes: Buffer
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Undefined where there is none. Through a link nothing is read: what is written in its place would not be where it leads. */
export const readPlain = (file: string): Found | undefined => {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isFile()) throw new MigrationError(`${file} is not a plain file`, "Move it away.")
  return { bytes: readFileSync(file), mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid }
}
