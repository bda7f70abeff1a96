/** A file that has to lie beside an agent's settings for the agent to act on them: put there, and taken away with them. */
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { dialects, type InstallAgent, type Scope } from "./dialects.ts"
import { deleteFile, ensureDirectory, readText, removeEmptyDirectories, writeAtomically } from "./files.ts"
import { backUp } from "./store.ts"

export interface Companion {
  readonly file: string
  readonly text: string
}

/** `settings`: the settings file itself, behind any links. */
export const companionOf = (agent: InstallAgent, settings: string): Companion | undefined => {
  const { companion } = dialects[agent]
  return companion && { file: companion.file(settings), text: companion.text }
}

/** Also where there is none to be. */
export const isCompanionRight = (companion: Companion | undefined): Effect.Effect<boolean> =>
  companion === undefined
    ? Effect.succeed(true)
    : readText(companion.file).pipe(
        Effect.orElseSucceed(() => undefined),
        Effect.map((text) => text === companion.text)
      )

/** What somebody made of it is kept among the backups. */
export const placeCompanion = Effect.fn("install.placeCompanion")(function* (
  companion: Companion | undefined,
  scope: Scope,
  state: string
) {
  if (companion === undefined || (yield* isCompanionRight(companion))) return
  const before = yield* readText(companion.file)
  if (before !== undefined) yield* backUp(state, companion.file, before)
  yield* ensureDirectory(dirname(companion.file), scope === "project" ? 0o755 : 0o700)
  yield* writeAtomically("write", companion.file, companion.text, scope === "project" ? 0o644 : 0o600)
})

/** One that somebody wrote over is theirs. */
export const dropCompanion = Effect.fn("install.dropCompanion")(function* (companion: Companion | undefined) {
  if (companion === undefined || !(yield* isCompanionRight(companion))) return
  yield* deleteFile(companion.file)
  yield* removeEmptyDirectories(companion.file, dirname(companion.file))
})
