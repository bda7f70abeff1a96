/** What `hooktape dev` builds: looked at while it runs, built beside what is in use, and nobody else builds it meanwhile. */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { milliseconds } from "../../../features/timeline/words.ts"
import { describeProblem } from "../../../hooks/Problem.ts"
import { buildLock } from "../../../runtime/builds/beingBuilt.ts"
import { discoverProject, discoverUser } from "../../../runtime/builds/discover.ts"
import { look, staleness } from "../../../runtime/builds/rebuild.ts"
import { findBuild, manifestAt } from "../../../runtime/builds/refresh.ts"
import { levelsOf } from "../../../state/levels.ts"
import { folderOf, type Manifest, projectManifest, userManifest } from "../../../state/manifest.ts"
import { type OwnerLock, takeOwnerLock } from "../../../state/ownerLock.ts"
import { printableLines } from "../../../state/terminalText.ts"
import type { BuildOptions } from "../../../tools/build/build.ts"
import { warm } from "../../../tools/build/warm.ts"
import type { Looks } from "../../../tools/dev/watch.ts"
import { trustFile } from "../../../trust/store.ts"
import { recorded, targets } from "../commands/build.ts"
import type { Places } from "../places.ts"
import { loaderOf } from "../prepare.ts"
import { Screen } from "../Screen.ts"

/** A call that finds its build out of date goes on with the one before while this is held: the new one is on its way. */
export const heldBuilds = ({ project, state }: Places) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const locks = [buildLock(state, project), buildLock(state, undefined)]
      const held = new Map<string, OwnerLock>()
      const hold = (): void => {
        for (const place of locks) {
          try {
            const lock = held.get(place) ?? takeOwnerLock(place)
            if (lock === undefined) continue
            held.set(place, lock)
            lock.renew()
          } catch {
            // It was taken over while this machine slept, or somebody took the state away: what is built next makes it anew.
            held.delete(place)
          }
        }
      }
      hold()
      const release = (): void => {
        for (const lock of held.values()) lock.release()
      }
      return { hold, release }
    }),
    ({ release }) => Effect.sync(release)
  )

/** Whatever may change what is built, there or not. */
export const watchedIn = ({ project, state, userFolder }: Places): Looks => {
  const levels = levelsOf(project)
  const found = [discoverUser(userFolder), ...levels.map(discoverProject)]
  const manifests = [projectManifest(state, project), userManifest(state)].map(manifestAt)
  const files = [
    ...found.flatMap(({ dirs, files: hooks }) => [...dirs, ...hooks.map(({ file }) => file)]),
    ...levels.map((level) => join(folderOf(level), "config.json")),
    join(userFolder, "config.json"),
    trustFile(state),
    ...manifests.flatMap((manifest) => (manifest?.sources ?? []).map(({ file }) => file))
  ]
  return new Map(files.map((file) => [file, JSON.stringify(look(file))]))
}

export const isUpToDate = ({ project, state }: Places): boolean =>
  findBuild(state, project)?.fresh !== undefined

/** A save of the project's is no reason to build the user's hooks anew: they are in the project's own build. */
const isDue =
  (state: string) =>
  ({ project }: BuildOptions): boolean => {
    const users = project === undefined ? manifestAt(userManifest(state)) : undefined
    return users === undefined || users.failed !== undefined || staleness(users) !== "fresh"
  }

/**
 * Builds what serves the project, after a save only what is not up to date, and says how that went. `isAll`: nothing of what was saved is held
 * back, `said`: what was said already to be wrong with it. The code caches of calls in process are made when it has been said: what was built is in use by then.
 */
export const buildAgain = Effect.fn("cli.dev.build")(function* (
  places: Places,
  {
    afterSave,
    began,
    isAll,
    said
  }: {
    readonly began: number
    readonly afterSave: boolean
    readonly isAll: boolean
    readonly said: readonly string[]
  }
) {
  const { note, out, style } = yield* Screen
  const named = { project: undefined, user: false, quiet: true, all: false }
  const made: Manifest[] = []
  let isWhole = said.length === 0
  const all = targets(named, places)
  for (const target of afterSave ? all.filter(isDue(places.state)) : all) {
    const result = yield* Effect.either(recorded(target, true))
    const { problems } = Either.merge(result)
    for (const problem of problems.map(describeProblem).filter((one) => !said.includes(one)))
      yield* note(`${style.bad("✖")} ${printableLines(problem)}\n`, "exact")
    if (problems.length > 0) isWhole = false
    if (Either.isRight(result)) made.push(result.right.manifest)
  }
  const ms = (yield* Clock.currentTimeMillis) - began
  if (isWhole && isAll) yield* out(`${style.good("✔")} in use after ${milliseconds(ms)}\n`)
  if (!isWhole) yield* note("  What worked before stays in use.\n")
  for (const manifest of made) yield* warm({ manifest, loader: loaderOf(places.state) })
})
