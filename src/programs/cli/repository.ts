/** Whether a repository would carry a file away: nothing secret may be written into one. */
import { realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { git } from "../../trust/git.ts"
import { repositoryAbove } from "../../trust/repositoryAbove.ts"

/** The file's real place; of one that is not there yet, its directory's. */
const placeOf = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    const folder = dirname(file)
    return folder === file ? file : join(placeOf(folder), basename(file))
  }
}

/** `check-ignore` ends with 0 for what git leaves alone; it does not say so of a file that it tracks. */
const isIgnored = (repository: string, file: string): Effect.Effect<boolean> =>
  Effect.promise(() => git(repository, ["check-ignore", "-q", "--", file])).pipe(
    Effect.map(({ exitCode }) => exitCode === 0)
  )

/** The repository that carries the file, or may: without git it cannot be told. */
export const carriedBy = Effect.fn("cli.carriedBy")(function* (file: string) {
  const place = placeOf(file)
  const repository = repositoryAbove(dirname(place))
  return repository === undefined || (yield* isIgnored(repository, place)) ? undefined : repository
})
