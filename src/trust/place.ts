/** Where a hook file belongs, whichever checkout it is seen in: its repository, and its path within. */
import { readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import { fileKey } from "../state/fileKey.ts"
import { writeWhole } from "../state/files.ts"
import { repositoryTop } from "../state/levels.ts"
import { isNewerFile, refuseNewer } from "../state/newerFile.ts"
import { readSmall } from "../state/readSmall.ts"

export interface Place {
  /** The repository's common directory, which its worktrees share; else the directory itself; `user` for the user's own hooks. */
  readonly repository: string
  /** Within a checkout of it, with forward slashes. */
  readonly path: string
}

/** What was last in force at a place. */
export interface LastTrusted extends Place {
  readonly version: 1
  readonly digest: string
}

const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const firstLine = (file: string): string | undefined => {
  const content = readSmall(file)
  return content !== undefined && "text" in content ? content.text.split("\n")[0] : undefined
}

/** Read from git's own files: to run git in a repository that nobody trusts is to run what it configures. */
const commonDirectory = (top: string): string => {
  const git = join(top, ".git")
  if (statSync(git, { throwIfNoEntry: false })?.isDirectory()) return real(git)
  const pointed = /^gitdir: (.+)$/.exec(firstLine(git) ?? "")?.[1]
  if (pointed === undefined) return real(git)
  const own = resolve(top, pointed)
  const common = firstLine(join(own, "commondir"))
  return real(common === undefined ? own : resolve(own, common))
}

export const placeOf = (level: string, file: string): Place => {
  const top = repositoryTop(level)
  return {
    repository: top === undefined ? level : commonDirectory(top),
    path: relative(top ?? level, file)
      .split(sep)
      .join("/")
  }
}

const folderOf = (state: string, { repository }: Pick<Place, "repository">): string =>
  join(state, "trusted", "places", fileKey(repository))

const fileOf = (state: string, place: Place): string =>
  join(folderOf(state, place), `${fileKey(place.path)}.json`)

const read = (file: string, { repository }: Pick<Place, "repository">): LastTrusted | undefined => {
  try {
    const last = JSON.parse(readFileSync(file, "utf8")) as LastTrusted
    return last.version === 1 && last.repository === repository ? last : undefined
  } catch {
    return undefined
  }
}

export const readLast = (state: string, place: Place): LastTrusted | undefined => {
  const last = read(fileOf(state, place), place)
  return last?.path === place.path ? last : undefined
}

/** Before what was in force there is taken for nothing. */
export const refuseNewerLast = (state: string, place: Place): void => refuseNewer(fileOf(state, place))

/** What a newer version noted there stays: only that is lost which could be fallen back on. */
export const writeLast = (state: string, place: Place, digest: string): void => {
  if (readLast(state, place)?.digest === digest || isNewerFile(fileOf(state, place))) return
  const last: LastTrusted = { version: 1, repository: place.repository, path: place.path, digest }
  writeWhole(fileOf(state, place), `${JSON.stringify(last)}\n`)
}

export const forgetLast = (state: string, place: Place): void => rmSync(fileOf(state, place), { force: true })

/** Everything that was in force in a repository. */
export const allLast = (state: string, repository: Pick<Place, "repository">): readonly LastTrusted[] => {
  const folder = folderOf(state, repository)
  try {
    return readdirSync(folder).flatMap((name) => read(join(folder, name), repository) ?? [])
  } catch {
    return []
  }
}
