/** Whether a repository would carry a file away: nothing secret may be written into one. */
import { spawn } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"

/** The file's real place; of one that is not there yet, its directory's. */
const placeOf = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    const folder = dirname(file)
    return folder === file ? file : join(placeOf(folder), basename(file))
  }
}

const repositoryOf = (folder: string): string | undefined => {
  if (existsSync(join(folder, ".git"))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryOf(above)
}

/** `check-ignore` ends with 0 for what git leaves alone; it does not say so of a file that it tracks. */
const isIgnored = (repository: string, file: string): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const child = spawn("git", ["-C", repository, "check-ignore", "-q", "--", file], { stdio: "ignore" })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("exit", (code) => resume(Effect.succeed(code === 0)))
    return Effect.sync(() => child.kill())
  })

/** The repository that carries the file, or may: without git it cannot be told. */
export const carriedBy = Effect.fn("cli.carriedBy")(function* (file: string) {
  const place = placeOf(file)
  const repository = repositoryOf(dirname(place))
  return repository === undefined || (yield* isIgnored(repository, place)) ? undefined : repository
})
