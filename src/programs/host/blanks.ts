/**
 * Empty files, ready for the calls that clients leave: on many file systems to make a file takes longer than all else that a client
 * does. What was taken in makes room for the next.
 */
import { closeSync, openSync, renameSync, statSync, truncateSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { newFile, privateDirectory } from "../../state/state.ts"

const slots = [..."0123456789abcdef"]

/** A client writes all at once: what it began so long ago it will not end. */
const givenUpMs = 60_000

export interface Blanks {
  /** Lays as many ready as there may be. */
  readonly fill: () => void
  /** What is in a file is needed no more: it is empty, or gone, under this name at once. */
  readonly putAway: (file: string) => void
}

export const makeBlanks = (state: string): Blanks => {
  const folder = join(spoolDirectory(state), "blank")
  const statOf = (slot: string) => statSync(slot, { throwIfNoEntry: false })
  const paths = slots.map((slot) => join(folder, slot))
  const ready = (slot: string): void => {
    const stat = statOf(slot)
    if (stat === undefined) closeSync(openSync(slot, newFile, 0o600))
    else if (stat.size > 0 && Date.now() - stat.mtimeMs > givenUpMs) truncateSync(slot)
  }
  return {
    fill: () => {
      try {
        privateDirectory(spoolDirectory(state))
        privateDirectory(folder)
        for (const slot of paths) ready(slot)
      } catch {
        // Without them clients make their files themselves.
      }
    },
    putAway: (file) => {
      const free = paths.find((slot) => statOf(slot) === undefined)
      try {
        if (free === undefined) throw new Error("there are enough")
        // First: whoever looks for what is left does not find it half taken away.
        renameSync(file, free)
        truncateSync(free)
      } catch {
        unlinkSync(file)
      }
    }
  }
}
