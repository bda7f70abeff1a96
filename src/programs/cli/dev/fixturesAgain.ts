/** The project's fixtures after each change, by `hooktape test`: all of them first, then those that failed until they are as kept. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import { findFixtures } from "../fixtures.ts"
import type { Tested } from "../render/fixtures.ts"

export interface TestedAgain {
  readonly failing: readonly Tested[]
  readonly ran: number
  /** Why they could not be tested. */
  readonly problem?: string
}

const longestMs = 300_000

const tested = (project: string, files: readonly string[], signal: AbortSignal): Promise<TestedAgain> =>
  new Promise((done) => {
    const script = process.argv[1] ?? ""
    const child = spawn(process.execPath, [script, "test", "--json", ...files], {
      cwd: project,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: longestMs,
      windowsHide: true,
      signal
    })
    let out = ""
    let told = ""
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString("utf8")
    })
    child.stderr.on("data", (chunk: Buffer) => {
      told += chunk.toString("utf8")
    })
    child.once("error", ({ message }) => done({ failing: [], ran: 0, problem: message }))
    child.once("close", () => {
      try {
        const { fixtures } = JSON.parse(out) as { readonly fixtures: readonly Tested[] }
        const failing = fixtures.filter(({ status }) => status !== "same")
        done({ failing, ran: fixtures.length })
      } catch {
        done({ failing: [], ran: 0, problem: told.trim() })
      }
    })
  })

/** A folder that waits for its first one is no mistake. */
const hasFixtures = (folder: string): boolean =>
  existsSync(folder) &&
  Either.match(findFixtures([folder]), { onLeft: () => true, onRight: (files) => files.length > 0 })

/** Undefined where the project has none. */
export const makeFixturesAgain = (project: string) => {
  let failing: readonly string[] = []
  return async (signal: AbortSignal): Promise<TestedAgain | undefined> => {
    if (!hasFixtures(join(project, ".hooktape", "fixtures"))) return undefined
    const some = failing.length === 0 ? undefined : await tested(project, failing, signal)
    if (signal.aborted) return undefined
    // What failed is known by now; once nothing does, whether all others still are as kept.
    const found = some === undefined || some.failing.length === 0 ? await tested(project, [], signal) : some
    if (signal.aborted) return undefined
    failing = found.failing.map(({ fixture }) => fixture)
    return found
  }
}
