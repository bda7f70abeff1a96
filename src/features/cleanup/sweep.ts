/** What may go: files of processes that are gone, unfinished builds, old lines that were no facts. Nothing else is touched. */
import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs"
import { join } from "node:path"
import { isAlive } from "../../state/isAlive.ts"

export interface Limits {
  /** How long a line that was no fact is kept for a person to look at. */
  readonly days: number
  /** How many files or folders at a time. */
  readonly most: number
}

const hour = 3_600_000
const day = 24 * hour
/** A folder that somebody filled without end is left to somebody else. */
const maxEntries = 20_000

interface Leftover {
  readonly what: string
  readonly folder: string
  readonly isDirectory?: true
  readonly goes: (name: string, ageMs: number) => boolean
}

/** Of the standard streams of a hook or of a process that runs handlers: the number in its name is whose it was. */
const ofProcess = /^noise\.(\d+)(?:-\d+)?\.[12]$/

const leftovers = ({ days }: Limits): readonly Leftover[] => [
  {
    what: "files of processes that are gone",
    folder: "run",
    goes: (name, age) => {
      const pid = ofProcess.exec(name)?.[1]
      return pid !== undefined && age > hour && !isAlive(Number(pid))
    }
  },
  {
    what: "unfinished builds",
    folder: "build",
    isDirectory: true,
    goes: (name, age) => /^\.(tmp|load)-/.test(name) && age > hour
  },
  ...["", "projects"].map(
    (folder): Leftover => ({
      what: "unfinished locks",
      folder,
      isDirectory: true,
      goes: (name, age) => /\.owner\.[0-9a-f]{12}\.tmp$/.test(name) && age > hour
    })
  ),
  {
    what: "unfinished files",
    folder: "bin",
    goes: (name, age) => /\.[0-9a-f]{12}\.tmp$/.test(name) && age > hour
  },
  {
    what: "old lines that were no facts",
    folder: join("spool", "errors"),
    goes: (name, age) => /\.ndjson\.\d+\.json$/.test(name) && age > days * day
  }
]

const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const listed = (folder: string): readonly string[] => {
  try {
    return statOf(folder)?.isDirectory() ? readdirSync(folder).slice(0, maxEntries) : []
  } catch {
    return []
  }
}

/** How many of each went. Never fails: what cannot be removed stays. */
export const sweep = (state: string, now: number, limits: Limits): Readonly<Record<string, number>> => {
  const uid = process.getuid?.()
  const removed: Record<string, number> = {}
  let left = limits.most
  for (const { folder, goes, isDirectory, what } of leftovers(limits)) {
    const directory = join(state, folder)
    for (const name of listed(directory)) {
      if (left === 0) return removed
      const path = join(directory, name)
      const stat = statOf(path)
      // A link is not followed, and what is somebody else's is theirs.
      if (stat === undefined || (uid !== undefined && stat.uid !== uid)) continue
      if (isDirectory ? !stat.isDirectory() : !stat.isFile()) continue
      if (!goes(name, now - stat.mtimeMs)) continue
      try {
        rmSync(path, { recursive: isDirectory === true })
        removed[what] = (removed[what] ?? 0) + 1
        left--
      } catch {
        // The next session ends soon enough.
      }
    }
  }
  return removed
}
