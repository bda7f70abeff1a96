/** Which files say what guards an agent: the user's own hooks and settings, the agents' hook settings, and the state directory. */
import { lstatSync, readlinkSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import {
  byPlugin,
  codexConfigs,
  droidHooks,
  pluginBeside,
  pluginFolders,
  pluginSwitches,
  type SettingsPlace,
  settingsFiles
} from "../../agents/settingsFiles.ts"
import { sharedHook } from "../../state/sharedHook.ts"
import { stateDirectory } from "../../state/state.ts"
import { statOf } from "../../state/statOf.ts"
import { userFolder } from "../../state/userFolder.ts"
import { below, normalized, within } from "../guard/folders.ts"
import { isProgram, programWords } from "./program.ts"

export interface GuardedPlace extends SettingsPlace {
  readonly cwd: string
}

/** What is guarded, and what it is in words. */
export interface Guarded {
  readonly path: string
  readonly what: string
  /** All that lies in it as well. */
  readonly whole: boolean
  /** It is not a place but a kind of path. */
  readonly fits?: (path: string) => boolean
}

export const stateWords = "hooktape's state directory"

/** Names mean the same in any case where the file system says so. */
const folded = process.platform === "darwin" || process.platform === "win32"
export const fold = (path: string): string => (folded ? path.toLowerCase() : path)

const settingsAt = (place: SettingsPlace): readonly Guarded[] =>
  [
    ...Object.values(settingsFiles).flatMap((files) => Object.values(files)),
    ...Object.values(codexConfigs),
    ...Object.values(settingsFiles.droid).map((file) => (at: SettingsPlace) => droidHooks(file(at))),
    ...byPlugin.flatMap((agent) =>
      Object.values(settingsFiles[agent]).map((file) => (at: SettingsPlace) => pluginBeside(file(at)))
    )
  ].map((file) => ({ path: fold(file(place)), what: "the hook settings of an agent", whole: false }))

/** What an agent took in by itself is in its own home. */
const pluginsAt = (place: SettingsPlace): readonly Guarded[] =>
  [
    { files: Object.values(pluginFolders), whole: true },
    { files: Object.values(pluginSwitches), whole: false }
  ].flatMap(({ files, whole }) =>
    files.map((file) => ({ path: fold(file(place)), what: "hooktape's plugin in an agent", whole }))
  )

/** As they end in whichever project or home directory. */
const settingsEndings: readonly string[] = [
  ...new Set(settingsAt({ home: "", project: "", env: {} }).map(({ path }) => normalized(path)))
]

/** The settings, and what those of a repository start. */
const endings: readonly string[] = [...settingsEndings, `/${sharedHook}`]

const endingNames: ReadonlySet<string> = new Set(endings.map((end) => basename(end)))

/** `.claude` and the like, as a whole. */
const holders: readonly string[] = [...new Set(settingsEndings.map(dirname))]

/** Handlers run beneath `<state>/bin/load.cjs`, in a process of the host, or in the host itself: those are told the directory. */
const runningState = (): readonly string[] => {
  const [, script = "", first = "", second = ""] = process.argv
  if (script.endsWith("/bin/load.cjs")) return [dirname(dirname(script))]
  const told: Readonly<Record<string, string>> = {
    "host.cjs": first,
    "thread.cjs": first,
    "worker.cjs": second
  }
  const state = told[basename(script)] ?? ""
  return state.startsWith("/") ? [state] : []
}

const guardedIn = (place: GuardedPlace): readonly Guarded[] => [
  { path: fold(userFolder(place.env)), what: "your own hooks and settings", whole: true },
  { path: fold(join(place.home, ".config", "hooktape")), what: "your own hooks and settings", whole: true },
  ...[stateDirectory(place.env), ...runningState()].map((path) => ({
    path: fold(path),
    what: stateWords,
    whole: true
  })),
  ...settingsAt(place),
  ...pluginsAt(place),
  { path: "", what: programWords, whole: false, fits: (path) => isProgram(path, place) }
]

/** What was put together last, and what of the place went into it: calls of one session have all of that in common. */
let last:
  | {
      readonly guarded: readonly Guarded[]
      readonly place: GuardedPlace
      readonly variables: ReadonlyMap<string, string | undefined>
    }
  | undefined

const isAsLast = ({ env, home, project }: GuardedPlace): boolean => {
  if (last === undefined || last.place.home !== home || last.place.project !== project) return false
  for (const [name, value] of last.variables) if (env[name] !== value) return false
  return true
}

/** Names alone: nothing of it depends on what is on the disk. */
export const guardedAt = (place: GuardedPlace): readonly Guarded[] => {
  if (last !== undefined && isAsLast(place)) return last.guarded
  const variables = new Map<string, string | undefined>()
  const env = new Proxy(place.env, {
    get: (all, name) => {
      const value = all[name as string]
      variables.set(name as string, value)
      return value
    }
  })
  const guarded = guardedIn({ ...place, env })
  last = { guarded, place, variables }
  return guarded
}

/** What a path means by its name alone. */
export const named = (path: string, guarded: readonly Guarded[]): string | undefined => {
  const name = fold(path)
  const found = guarded.find(
    (one) => one.fits?.(path) ?? (one.whole ? within(name, one.path) : name === one.path)
  )
  if (found !== undefined) return found.what
  // Almost no path ends in a name that settings have.
  const mayEnd = endingNames.has(name.slice(name.lastIndexOf("/") + 1))
  return mayEnd && endings.some((end) => name.endsWith(end)) ? "the hook settings of an agent" : undefined
}

export const isHolder = (path: string): boolean => holders.some((end) => fold(path).endsWith(end))

const heldIn = (path: string, guarded: readonly Guarded[]): string | undefined => {
  const name = fold(path)
  if (isHolder(path)) return "the hook settings of an agent"
  return guarded.find((one) => below(one.path, name) && name !== "/")?.what
}

/** Whether something guarded lies in it, so that it goes along. Of a link only the link itself goes, whatever it leads to. */
export const holds = (path: string, guarded: readonly Guarded[]): string | undefined => {
  const byName = heldIn(path, guarded)
  if (byName !== undefined || dirname(path) === path) return byName
  const real = join(realOf(dirname(path)), basename(path))
  return real === path ? undefined : heldIn(real, guarded)
}

/** A chain of links is followed so far. */
const maxLinks = 40

/** A guarded place, and where it really lies. */
interface Place {
  readonly guarded: Guarded
  readonly real: string
  /** Nothing is there, or nobody may look. */
  readonly isAbsent: boolean
}

interface File {
  readonly guarded: Guarded
  readonly ino: number
  readonly dev: number
}

/** What was found within one look: the same folders are asked about again and again. */
interface Looked {
  readonly real: Map<string, string>
  /** Nothing below them is asked for. */
  readonly absent: Set<string>
  readonly places: Map<readonly Guarded[], readonly Place[]>
  /** The files among those places that are there. */
  readonly files: Map<readonly Guarded[], readonly File[]>
}
let looked: Looked | undefined

/** Within it the disk is taken to stand still: nothing of it may wait. */
export const lookingOnce = <A>(look: (looked: Looked) => A): A => {
  if (looked !== undefined) return look(looked)
  looked = { real: new Map(), absent: new Set(), places: new Map(), files: new Map() }
  try {
    return look(looked)
  } finally {
    looked = undefined
  }
}

/** Where a name in a folder that is no link itself leads; undefined where nothing is there, or nobody may look. */
const ledTo = (place: string): string | undefined => {
  try {
    const found = lstatSync(place, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    return found.isSymbolicLink() ? resolve(dirname(place), readlinkSync(place)) : place
  } catch {
    return undefined
  }
}

const follow = (path: string, links: number, known: Looked): string => {
  const before = known.real.get(path)
  if (before !== undefined) return before
  const folder = dirname(path)
  if (folder === path) return path
  const above = follow(folder, links, known)
  // Of two clean paths, and many times a call: there is nothing for `join` to tidy.
  const place = `${above === "/" ? "" : above}/${basename(path)}`
  const target = known.absent.has(above) ? undefined : ledTo(place)
  if (target === undefined) known.absent.add(place)
  const isLink = target !== undefined && target !== place && links < maxLinks
  const real = isLink ? follow(target, links + 1, known) : place
  known.real.set(path, real)
  return real
}

/** Where a path leads, as far as it is there: what is written through a link that leads nowhere is made where that points. */
export const realOf = (path: string): string => lookingOnce((known) => follow(path, 0, known))

/** A path as the system reads it: `..` leaves the folder that a link leads to, where a text would leave the link's own. */
export const physical = (path: string): string => {
  if (!/[^/]\/+\.\.(?:\/|$)/.test(path)) return path
  let at = "/"
  for (const part of path.split("/"))
    if (part === "..") at = dirname(realOf(at))
    else if (part !== "") at = join(at, part)
  return at
}

const placesOf = (guarded: readonly Guarded[]): readonly Place[] =>
  lookingOnce((known) => {
    const before = known.places.get(guarded)
    if (before !== undefined) return before
    const found = guarded.flatMap((one) => {
      if (one.fits !== undefined) return []
      const real = follow(one.path, 0, known)
      return [{ guarded: one, real: fold(real), isAbsent: known.absent.has(real) }]
    })
    known.places.set(guarded, found)
    return found
  })

/** Most of what is guarded is not there at all: whoever names a file of the project does not have all of it looked at once more. */
const filesOf = (guarded: readonly Guarded[]): readonly File[] =>
  lookingOnce(({ files }) => {
    const before = files.get(guarded)
    if (before !== undefined) return before
    const found = placesOf(guarded).flatMap(({ guarded: one, isAbsent }) => {
      const stat = one.whole || isAbsent ? undefined : statOf(one.path)
      return stat === undefined ? [] : [{ guarded: one, ino: stat.ino, dev: stat.dev }]
    })
    files.set(guarded, found)
    return found
  })

const isAbsent = (real: string): boolean => lookingOnce(({ absent }) => absent.has(real))

/** Behind links, hard and symbolic, and whatever it was called. */
export const meant = (path: string, guarded: readonly Guarded[]): string | undefined => {
  const byName = named(path, guarded)
  if (byName !== undefined) return byName
  const real = realOf(path)
  const byPlace = real === path ? undefined : named(real, guarded)
  if (byPlace !== undefined) return byPlace
  const name = fold(real)
  const behind = placesOf(guarded).find((place) =>
    place.guarded.whole ? within(name, place.real) : name === place.real
  )
  if (behind !== undefined) return behind.guarded.what
  const own = isAbsent(real) ? undefined : statOf(real)
  if (own === undefined || !own.isFile()) return undefined
  return filesOf(guarded).find(({ ino, dev }) => ino === own.ino && dev === own.dev)?.guarded.what
}
