/** Which build serves a call, brought up to date without holding up anybody else's. */
import { spawn } from "node:child_process"
import { afterBuild, buildCommand, type Found, findBuild, type Refreshed } from "../entry/refresh.ts"

export interface Builds {
  /** Undefined when nothing was ever built for the project. */
  readonly serving: (project: string, patienceMs: number) => Promise<Refreshed | undefined>
}

/** A build that hangs ends itself after a minute. */
const longestMs = 70_000

const run = (found: Found, state: string, project: string): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, buildCommand(found, project), {
      stdio: "ignore",
      timeout: longestMs,
      env: { ...process.env, HOOKTAPE_HOME: state },
      windowsHide: true
    })
    child.on("error", (error) => resolve(`could not be built (${error.message})`))
    child.on("exit", () => resolve("could not be built"))
  })

export const makeBuilds = (state: string): Builds => {
  /** One at a time for each project: whoever comes meanwhile waits for the same. */
  const running = new Map<string, Promise<string>>()

  const rebuilt = (found: Found, project: string): Promise<string> => {
    const key = found.own ? project : ""
    const there = running.get(key)
    if (there) return there
    const build = run(found, state, project).finally(() => running.delete(key))
    running.set(key, build)
    return build
  }

  return {
    serving: async (project, patienceMs) => {
      const found = findBuild(state, project)
      if (!found) return undefined
      if (found.fresh) return found.fresh
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve("could not be built in time"), patienceMs)
      })
      const problem = await Promise.race([rebuilt(found, project), late])
      clearTimeout(timer)
      return afterBuild(state, project, found, problem)
    }
  }
}
