/** Puts the script that a repository's agent settings start where it belongs, and takes it away with the last of them. */
import { promises as fs } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { installAgents, type Place, settingsFile } from "./dialects.ts"
import { deleteFile, ensureDirectory, readText, removeEmptyDirectories, writeAtomically } from "./files.ts"
import { findRegistrations } from "./plan.ts"
import { isSharedHook, sharedHookFile, sharedHookText } from "./sharedHook.ts"

const executable = 0o755

const isExecutable = (file: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    fs.access(file, fs.constants.X_OK).then(
      () => true,
      () => false
    )
  )

/** Whether it is there, as this version writes it. What cannot be read is not right. */
export const isSharedHookRight = (project: string): Effect.Effect<boolean> =>
  Effect.zipWith(
    Effect.orElseSucceed(readText(sharedHookFile(project)), () => undefined),
    isExecutable(sharedHookFile(project)),
    (text, canRun) => text === sharedHookText && canRun
  )

export const placeSharedHook = Effect.fn("install.placeSharedHook")(function* (project: string) {
  const file = sharedHookFile(project)
  yield* ensureDirectory(dirname(file), executable)
  yield* writeAtomically("write", file, sharedHookText, executable)
})

/** Settings that cannot be read may call it. */
const isCalled = (place: Place) =>
  Effect.gen(function* () {
    const file = yield* settingsFile(place)
    const text = yield* readText(file)
    return text === undefined
      ? false
      : (yield* findRegistrations(file, text)).some(({ bin }) => isSharedHook(bin))
  }).pipe(Effect.orElseSucceed(() => true))

export const dropSharedHook = Effect.fn("install.dropSharedHook")(function* (place: Place) {
  for (const agent of installAgents) if (yield* isCalled({ ...place, agent, scope: "project" })) return
  const file = sharedHookFile(place.project)
  yield* deleteFile(file)
  yield* removeEmptyDirectories(file, dirname(file))
})
