/**
 * Whether anything can have been written to a log's file since it was read, told by the times of files: whoever looks again and again
 * needs no transaction for that.
 */
import { statSync } from "node:fs"

/**
 * What is written within a tick of the clock of its file system may leave the same time; one without fractions of a second ticks every
 * other second. And who writes makes it known to readers a moment later, which is longer where the disk is waited for.
 */
const settlingMs = (at: number): number => (at % 1000 === 0 ? 2100 : 1000)

export interface FileGlance {
  /** To be called before reading: what is written from here on is seen. */
  readonly take: () => void
  /** True where nothing was written since, as far as times tell. A writer that stood still for a second amid its commit is not seen. */
  readonly isSame: () => boolean
}

/** Of the file and of its journal, which holds what was written last. `now`: milliseconds since 1970. */
export const makeFileGlance = (file: string, now: () => number = Date.now): FileGlance => {
  let taken: string | undefined
  const look = (): string | undefined => {
    const at = now()
    const stats = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false }))
    // A clock that was set back says nothing.
    const isSettled = stats.every(
      (stat) => stat === undefined || at - stat.mtimeMs > settlingMs(stat.mtimeMs)
    )
    return isSettled
      ? stats.map((stat) => (stat === undefined ? "-" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`)).join()
      : undefined
  }
  return {
    take: () => {
      taken = look()
    },
    isSame: () => taken !== undefined && look() === taken
  }
}
