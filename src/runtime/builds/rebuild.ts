/** Whether a build still fits its sources. Asked on every hook: a stat per source, nothing read. */
import { statSync } from "node:fs"
import type { Manifest, Source } from "../../state/manifest.ts"

export interface Seen {
  readonly mtimeMs: number
  readonly size: number
}

/** A directory's size says nothing that its time does not. */
export const look = (file: string): Seen => {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined
    ? { mtimeMs: -1, size: -1 }
    : { mtimeMs: stat.mtimeMs, size: stat.isDirectory() ? 0 : stat.size }
}

const moved = (source: Source): boolean => {
  try {
    const { mtimeMs, size } = look(source.file)
    return mtimeMs !== source.mtimeMs || size !== source.size
  } catch {
    return true
  }
}

export const staleness = (manifest: Pick<Manifest, "sources">): "fresh" | "stale" =>
  manifest.sources.some(moved) ? "stale" : "fresh"
