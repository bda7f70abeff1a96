/** Files that others may read at any moment: written aside, private, and moved in whole. */
import { randomBytes } from "node:crypto"
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

export const writeWhole = (
  file: string,
  text: string | Uint8Array,
  mode = 0o600,
  folderMode = 0o700
): void => {
  mkdirSync(dirname(file), { recursive: true, mode: folderMode })
  const aside = `${file}.${randomBytes(6).toString("hex")}.tmp`
  try {
    writeFileSync(aside, text, { mode, flag: "wx" })
    renameSync(aside, file)
  } finally {
    rmSync(aside, { force: true })
  }
}
