/** Which build serves a call, brought up to date without holding up anybody else's. */
import { spawn } from "node:child_process"
import { noteUnbuilt } from "../../runtime/builds/attempts.ts"
import { whyNotBuilt } from "../../runtime/builds/beingBuilt.ts"
import {
  afterBuild,
  buildCommand,
  type Found,
  findBuild,
  type ManifestAt,
  manifestAt,
  type Refreshed,
  rebuildEnv
} from "../../runtime/builds/refresh.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { atOnce } from "../../state/atOnce.ts"
import type { Manifest } from "../../state/manifest.ts"
import { findProject } from "../../state/project.ts"
import { statOf } from "../../state/statOf.ts"

export interface Serving {
  readonly project: string
  /** Undefined when nothing was ever built for the project. */
  readonly found: Refreshed | undefined
}

export interface Builds {
  /** `askedAt`: when its client was started or it came, for one that an agent waits for; milliseconds since 1970. */
  readonly serving: (cwd: string, patienceMs: number, askedAt?: number) => Promise<Serving>
}

/**
 * An agent fires several hooks at once: their files are looked at once, for all that were on their way by then; over HTTP, which does not tell, for each. Where nobody waits,
 * nobody edits a hook and has it fire within this.
 */
const freshMs = 50
const maxRemembered = 100

/** A build that hangs ends itself after a minute. */
const longestMs = 70_000

const run = (found: Found, state: string, project: string): Promise<string> =>
  new Promise((resolve) => {
    const began = Date.now()
    const child = spawn(process.execPath, buildCommand(found, project), {
      stdio: "ignore",
      timeout: longestMs,
      // As a call that builds for itself: which folder is the user's is judged by where it runs.
      cwd: project,
      env: rebuildEnv(found.current, state, project),
      windowsHide: true
    })
    child.on("error", (error) => resolve(`could not be built (${error.message})`))
    child.on("exit", (code) => {
      if (code !== 0) noteUnbuilt(state, found.own ? project : undefined, began)
      resolve("could not be built")
    })
  })

/** A manifest is put in its place whole: the same file of the same time holds the same. */
export const makeManifestAt = (): ManifestAt => {
  const known = new Map<string, { readonly seen: string; readonly manifest: Manifest | undefined }>()
  return (path) => {
    const stat = statOf(path)
    if (stat === undefined) return undefined
    const seen = `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    const there = known.get(path)
    if (there?.seen === seen) return there.manifest
    const manifest = manifestAt(path)
    if (known.size >= maxRemembered) known.clear()
    known.set(path, { seen, manifest })
    return manifest
  }
}

export const makeBuilds = (
  state: string,
  now: () => number = monotonic,
  today: () => number = Date.now
): Builds => {
  const read = makeManifestAt()
  const remembered = new Map<string, Serving & { readonly at: number; readonly lookedAt: number }>()

  /** One at a time for each project: whoever comes meanwhile waits for the same. */
  const running = new Map<string, Promise<string>>()

  const lookAround = (cwd: string) =>
    atOnce(() => {
      const project = findProject(cwd)
      return { project, found: findBuild(state, project, read) }
    })

  const rebuilt = (found: Found, project: string): Promise<string> => {
    const key = found.own ? project : ""
    const there = running.get(key)
    if (there) return there
    const why = whyNotBuilt(state, found.own ? project : undefined, found.current)
    if (why !== undefined) return Promise.resolve(why)
    const build = run(found, state, project).finally(() => running.delete(key))
    running.set(key, build)
    return build
  }

  const look = async (
    { found, project }: ReturnType<typeof lookAround>,
    patienceMs: number
  ): Promise<Refreshed | undefined> => {
    if (!found) return undefined
    if (found.fresh) return found.fresh
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve("could not be built in time"), patienceMs)
    })
    const problem = await Promise.race([rebuilt(found, project), late])
    clearTimeout(timer)
    return afterBuild(state, project, found, problem, read)
  }

  return {
    serving: async (cwd, patienceMs, askedAt) => {
      const known = remembered.get(cwd)
      const at = now()
      const lookedAt = today()
      // What was changed before its client was started was changed before they were looked at.
      const isSeen = known !== undefined && (askedAt === undefined || askedAt < known.lookedAt)
      if (isSeen && at - known.at < freshMs) return known
      const around = lookAround(cwd)
      const serving = { project: around.project, found: await look(around, patienceMs) }
      if (remembered.size >= maxRemembered) remembered.clear()
      // What was just built is told once, not to everybody who comes within the moment.
      if (serving.found && !serving.found.rebuilt) remembered.set(cwd, { ...serving, at, lookedAt })
      else remembered.delete(cwd)
      return serving
    }
  }
}
