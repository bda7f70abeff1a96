/**
 * Answers whether a program may run on a repository's behalf. What a repository brings runs only when its content was consented to;
 * what its user installed runs. Everything that starts a program which could come from a repository asks here.
 */
import { realpathSync } from "node:fs"
import { dirname, relative, sep } from "node:path"
import { messageOf } from "../state/messageOf.ts"
import { isWithin } from "../state/within.ts"
import { git } from "./git.ts"
import { ownerProblem } from "./ownerProblem.ts"
import { repositoryAbove } from "./repositoryAbove.ts"
import { type Trace, tracePath } from "./tracePath.ts"

export type MayRun = { readonly may: true } | { readonly may: false; readonly reason: string }

/** Whether the user consented to the content of these files or folders, given by their real paths. */
export type Consent = (brought: readonly string[]) => boolean | Promise<boolean>

export interface RunAsked {
  /** Absolute paths: the program, and whatever it is known to load. */
  readonly code: readonly string[]
  /** The folder that the program works on. */
  readonly project: string
}

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? ""

/** `icase`: on some file systems `Node_Modules` is the same folder. */
const pathspec = (path: string, repository: string): string =>
  `:(literal,icase)${relative(repository, path).split(sep).join("/")}`

const cannotSay = (path: string, why: string): string =>
  `git cannot say whether ${path} is part of the repository (${why})`

/** The folder into which it was installed: `node_modules`, or one that git ignores. */
const installedIn = async (path: string, repository: string): Promise<string | undefined> => {
  const parts = relative(repository, path).split(sep)
  const folders = parts.slice(0, -1).map((_, at) => [repository, ...parts.slice(0, at + 1)].join(sep))
  const modules = folders.find((folder) => /[\\/]node_modules$/i.test(folder))
  if (modules !== undefined || folders.length === 0) return modules
  const { exitCode, stdout } = await git(repository, ["check-ignore", "--", ...folders])
  const ignored = new Set(stdout.split("\n"))
  return exitCode === 0 ? folders.find((folder) => ignored.has(folder)) : undefined
}

interface Place {
  readonly path: string
  /** A link leads on, and need not be installed itself. */
  readonly isLink: boolean
}

/** All that git is asked about for one path: where it is said to be, where it is, and the links in between. */
const placesOf = (path: string, { links, real }: Trace): readonly Place[] =>
  [...new Set([path, real, ...links])].map((place) => ({ path: place, isLink: links.includes(place) }))

/** Why git has something against it: part of the repository, no answer, or nothing that anybody installed. */
const gitProblem = async (places: readonly Place[], project: string): Promise<string | undefined> => {
  const home = repositoryAbove(project) ?? project
  const asked = new Map<string, Set<string>>()
  let notInstalled: string | undefined
  for (const { isLink, path } of places) {
    const repository = repositoryAbove(dirname(path))
    if (repository === undefined) {
      if (isWithin(path, home)) return cannotSay(path, "there is no git repository")
      continue
    }
    const inIt = asked.get(repository) ?? new Set<string>()
    asked.set(repository, inIt.add(path))
    if (isLink || !isWithin(path, home)) continue
    const folder = await installedIn(path, repository)
    if (folder === undefined)
      notInstalled ??= `${path} is not installed: git does not ignore it, and it lies in no node_modules`
    else inIt.add(folder)
  }
  for (const [repository, paths] of asked) {
    const specs = [...paths].map((path) => pathspec(path, repository))
    const { exitCode, failure, stderr, stdout } = await git(repository, ["ls-files", "-z", "--", ...specs], {
      maxOutput: 4096
    })
    const [first = repository] = paths
    if (exitCode !== 0) return cannotSay(first, failure ?? firstLine(stderr))
    const [tracked] = stdout.split("\0")
    if (tracked) return `${tracked} is committed to the repository`
  }
  return notInstalled
}

const problemOf = async ({ code, project }: RunAsked): Promise<string | undefined> => {
  try {
    const traces = code.map((path) => ({ path, trace: tracePath(path) }))
    const visited = new Set(traces.flatMap(({ trace }) => trace.visited))
    const places = traces.flatMap(({ path, trace }) => placesOf(path, trace))
    return ownerProblem([...visited]) ?? (await gitProblem(places, project))
  } catch (error) {
    return messageOf(error)
  }
}

const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Whatever cannot be found out is a no. */
export const mayRun = async (asked: RunAsked, consented: Consent): Promise<MayRun> => {
  const reason = await problemOf(asked)
  if (reason === undefined || (await consented(asked.code.map(realOf)))) return { may: true }
  return { may: false, reason }
}
