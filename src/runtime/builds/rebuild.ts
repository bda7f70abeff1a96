/** Whether a build still fits its sources. Asked on every hook: a stat per source, nothing read. */
import { statSync } from "node:fs"
import type { Manifest, Source } from "../../state/manifest.ts"

export interface Seen {
  readonly mtimeMs: number
  readonly size: number
  /** Nobody can set it: another file under the same name has another, also with the size and the time of the one before. */
  readonly ctimeMs?: number
}

const statOf = (file: string) => {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    // A link that leads to itself, a file where a folder was: as far as anybody can read, nothing is there.
    return undefined
  }
}

/** A directory's size says nothing that its time does not. */
export const look = (file: string): Seen => {
  const stat = statOf(file)
  return stat === undefined
    ? { mtimeMs: -1, size: -1 }
    : { mtimeMs: stat.mtimeMs, size: stat.isDirectory() ? 0 : stat.size, ctimeMs: stat.ctimeMs }
}

const moved = (source: Source): boolean => {
  try {
    const { ctimeMs, mtimeMs, size } = look(source.file)
    // A build of before does not say it.
    const isReplaced = source.ctimeMs !== undefined && ctimeMs !== source.ctimeMs
    return mtimeMs !== source.mtimeMs || size !== source.size || isReplaced
  } catch {
    return true
  }
}

export const staleness = (manifest: Pick<Manifest, "sources">): "fresh" | "stale" =>
  manifest.sources.some(moved) ? "stale" : "fresh"
