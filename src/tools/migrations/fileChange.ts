/** One file of a step: kept as it was, changed, and put back. */
import { existsSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Begun, Tools } from "./Begun.ts"
import { backupFile, keepCopy } from "./backUp.ts"
import { replaceFile } from "./Disk.ts"
import { digestOf, type Found, readPlain } from "./fingerprint.ts"
import type { ChangeRecord } from "./journal.ts"
import type { FileChange } from "./Migration.ts"
import { MigrationError } from "./MigrationError.ts"

const digestOrNull = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined ? null : digestOf(bytes)

const changedMeanwhile = (file: string): MigrationError =>
  new MigrationError(`another program changed ${file} at the same moment`, "Run the command again.")

const copyOf = ({ disk, state, now }: Tools, file: string, { bytes }: Found): string => {
  const backup = backupFile(state, now, digestOf(bytes), file)
  keepCopy(disk, backup, (aside) => disk.create(aside, bytes, 0o600))
  return backup
}

/** `known`: what an interrupted run kept of the same file. It is what was there before, whatever is there now. */
export const beginFile = (
  tools: Tools,
  { file, kept, mode, next }: FileChange,
  known: ChangeRecord | undefined
): Begun => {
  const found = readPlain(file)
  const after = digestOrNull(next)
  const fresh = (): ChangeRecord => ({
    kind: "file",
    file,
    before: digestOrNull(found?.bytes),
    mode: found?.mode ?? mode ?? 0o600,
    ...(found === undefined
      ? {}
      : kept === "itself"
        ? { kept }
        : { kept: "backup" as const, backup: copyOf(tools, file, found) })
  })
  const record: ChangeRecord = { ...(known ?? fresh()), after }
  return {
    record,
    apply: () => {
      const now = readPlain(file)
      if (digestOrNull(now?.bytes) !== digestOrNull(found?.bytes)) {
        // A call that was taken in meanwhile is where it belongs.
        if (now === undefined && kept === "itself") return { ...record, after: null }
        throw changedMeanwhile(file)
      }
      if (next === undefined) tools.disk.remove(file)
      else {
        // Our own, for the owner alone, or a repository's: agents' settings are changed where they are.
        if (!existsSync(dirname(file))) tools.disk.folder(dirname(file), mode === undefined ? 0o700 : 0o755)
        replaceFile(tools.disk, file, next, mode ?? record.mode, found)
      }
      return record
    },
    end: () => undefined
  }
}

/** Whether the file is neither as the step left it nor as it was before. */
export const isChangedSince = ({ after, before, file, kept }: ChangeRecord): boolean => {
  const found = readPlain(file)
  if (found === undefined && kept === "itself") return false
  const now = digestOrNull(found?.bytes)
  return now !== before && now !== after
}

/** `restored`: what the bytes that are there were made of, for a file that keeps that in itself. */
export const undoFile = (
  tools: Tools,
  record: ChangeRecord,
  restored: (bytes: Uint8Array) => Uint8Array | undefined
): void => {
  const { backup, before, file, kept, mode } = record
  const found = readPlain(file)
  if (digestOrNull(found?.bytes) === before) return
  if (before === null) {
    if (found !== undefined && isChangedSince(record)) copyOf(tools, file, found)
    tools.disk.remove(file)
    return
  }
  if (kept === "itself") {
    const bytes = found === undefined ? undefined : restored(found.bytes)
    if (bytes !== undefined) replaceFile(tools.disk, file, bytes, mode, found)
    return
  }
  if (backup === undefined) return
  if (found !== undefined && isChangedSince(record)) copyOf(tools, file, found)
  replaceFile(tools.disk, file, readFileSync(backup), mode, found)
}
