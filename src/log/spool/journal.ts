/**
 * Facts on their way to the log: kept in a file of the spool before anybody acts on them, cut off it once they are on the log.
 * Whoever reads the spool reads them there, and what a host leaves behind is taken in like any other file.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Sources } from "../../../events/ids.ts"
import type { RedactedDraft } from "../../redact/redact.ts"
import { newFile, privateDirectory } from "../../state/state.ts"
import { writerLine } from "./spoolFiles.ts"
import { spoolLine } from "./spoolLine.ts"
import { spoolName } from "./spoolName.ts"
import { spoolDirectory } from "./spoolWriter.ts"

export interface Journal {
  /** Kept when this returns true; false where its file holds enough. Throws, and keeps none, where it cannot be written. */
  readonly append: (drafts: readonly RedactedDraft[]) => boolean
  /** All that was appended is on the log. */
  readonly cut: () => void
  /** What was appended is for whoever takes in the spool: its file. Undefined where it cannot be given away, or was taken away. */
  readonly handOver: () => string | undefined
  /** All that was appended is kept elsewhere. The next fact begins another file. */
  readonly remove: () => void
  /** Of its file in the spool. */
  readonly name: () => string | undefined
}

interface Open {
  readonly fd: number
  readonly name: string
  readonly path: string
  size: number
  /** Something of what could not be written is still there. */
  torn: boolean
}

/** A log that does not keep up is waited for. */
const maxBytes = 8_000_000

const first = writerLine(process.pid)

/** Whatever happens to one, the others are done. */
const quietly = (...steps: readonly (() => void)[]): void => {
  for (const step of steps) {
    try {
      step()
    } catch {
      // Somebody took the file away, or the disk does nothing more.
    }
  }
}

export const openJournal = (state: string, sources: Sources): Journal => {
  let file: Open | undefined

  const open = (): Open => {
    const name = `${spoolName(sources)}.ndjson`
    const path = join(privateDirectory(spoolDirectory(state)), `${name}.open`)
    return { fd: openSync(path, newFile, 0o600), name, path, size: 0, torn: false }
  }

  const remove = (): void => {
    const one = file
    file = undefined
    if (one)
      quietly(
        () => closeSync(one.fd),
        () => unlinkSync(one.path)
      )
  }

  const write = ({ fd }: Open, bytes: Buffer): void => {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
  }

  return {
    append: (drafts) => {
      if (file !== undefined && file.size > maxBytes) return false
      const lines = drafts.map(spoolLine).join("")
      file ??= open()
      const one = file
      const before = one.size === 0 ? first : one.torn ? "\n" : ""
      const bytes = Buffer.from(before + lines)
      try {
        write(one, bytes)
      } catch (error) {
        if (one.size === 0) remove()
        else {
          one.torn = true
          quietly(() => {
            ftruncateSync(one.fd, one.size)
            one.torn = false
          })
        }
        throw error
      }
      one.torn = false
      one.size += bytes.length
      return true
    },
    cut: () => {
      const one = file
      if (one === undefined) return
      // Nobody would find what is written to a file that was taken away.
      if (fstatSync(one.fd).nlink === 0) return remove()
      ftruncateSync(one.fd, first.length)
      one.size = first.length
      one.torn = false
    },
    handOver: () => {
      const one = file
      if (one === undefined) return undefined
      const there = join(spoolDirectory(state), one.name)
      try {
        renameSync(one.path, there)
      } catch {
        return undefined
      }
      file = undefined
      quietly(() => closeSync(one.fd))
      return there
    },
    remove,
    name: () => file && `${file.name}.open`
  }
}
