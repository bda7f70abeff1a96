/** Builds of hooks that are not in use, in a folder that is gone when they were asked. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { messageOf } from "../../state/messageOf.ts"
import { BuildError } from "../build/BuildError.ts"
import { type BuildOptions, buildHooks } from "../build/build.ts"
import { hooksIn, isDirectory, layOut, notAFolder } from "../replay/layOut.ts"
import { BacktestError } from "./BacktestError.ts"

export const scratchDirectory = Effect.acquireRelease(
  Effect.try({
    try: () => realpathSync(mkdtempSync(join(tmpdir(), "hooktape-backtest-"))),
    catch: (cause) => new BacktestError({ message: messageOf(cause) })
  }),
  (scratch) => Effect.sync(() => rmSync(scratch, { recursive: true, force: true }))
)

const built = Effect.fn("backtest.build")(function* (
  scratch: string,
  laidOut: Pick<BuildOptions, "userFolder" | "placed">,
  defaults: boolean
) {
  const state = join(scratch, "state")
  mkdirSync(state, { mode: 0o700 })
  const { manifest, problems } = yield* buildHooks({ state, ...laidOut, defaults })
  // What hooks say that are not all there proves nothing.
  if (problems.length > 0) return yield* new BuildError({ op: "check", problems })
  return manifest
})

/** Only what comes along, as somebody has it who has set nothing. */
export const buildShipped = Effect.fn("backtest.buildShipped")(function* () {
  const scratch = yield* scratchDirectory
  return yield* built(scratch, { userFolder: join(scratch, "user") }, true)
})

/** The hook files of a folder, with the user's own: as they would run in place of the project's. */
export const buildFolder = Effect.fn("backtest.buildFolder")(function* (
  directory: string,
  userFolder: string
) {
  const hooks = hooksIn(resolve(directory))
  if (!isDirectory(hooks)) return yield* new BacktestError({ message: `--against: ${notAFolder(directory)}` })
  const scratch = yield* scratchDirectory
  return yield* built(scratch, layOut(scratch, hooks, userFolder), true)
})

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Nothing but these hook files. */
export const buildFiles = Effect.fn("backtest.buildFiles")(function* (files: readonly string[]) {
  const missing = files.find((file) => !isFile(file))
  if (missing !== undefined)
    return yield* new BacktestError({
      message: existsSync(missing) ? `${missing} is no file.` : `${missing} is not there.`
    })
  const scratch = yield* scratchDirectory
  const hooks = join(scratch, "user", "hooks")
  mkdirSync(hooks, { recursive: true, mode: 0o700 })
  for (const [nth, file] of files.entries())
    symlinkSync(realpathSync(file), join(hooks, `${nth}-${basename(file)}`))
  return yield* built(scratch, { userFolder: join(scratch, "user") }, false)
})
