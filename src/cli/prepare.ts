/** Makes a state directory ready to be called by agents: the loader, the launcher, and the directories both need. */
import { chmodSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { findCore } from "../build/core.ts"
import { launcher } from "../entry/launcher.ts"
import { writeWhole } from "../hooks/files.ts"
import { digestKey, installationId, openState, privateDirectory } from "../log/state.ts"
import { CliError } from "./CliError.ts"

export const loaderOf = (state: string): string => join(state, "bin", "load.cjs")
export const hookOf = (state: string): string => join(state, "bin", "hook")

/** The compiled loader of this package. */
export const shippedLoader = (root: string = findCore().root): string => join(root, "dist", "load.cjs")

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/** A file that is right already keeps its inode: agents may be starting it at this moment. */
const ensureFile = (file: string, text: string, mode: number): void => {
  if (contentOf(file) !== text) writeWhole(file, text, mode)
  if ((statSync(file).mode & 0o777) !== mode) chmodSync(file, mode)
}

/** What would stand at `bin/hook`. */
export const launcherText = (state: string): string => launcher({ node: process.execPath, state })

export const prepareState = Effect.fn("cli.prepareState")((state: string) =>
  Effect.try({
    try: () => {
      openState(state)
      for (const part of ["bin", "run"]) privateDirectory(join(state, part))
      digestKey(state)
      installationId(state)
      ensureFile(loaderOf(state), readFileSync(shippedLoader(), "utf8"), 0o600)
      ensureFile(hookOf(state), launcherText(state), 0o700)
    },
    catch: (cause) =>
      new CliError({
        what: "the state directory cannot be set up",
        reason: cause instanceof Error ? cause.message : String(cause),
        remedy: "Check it, or point HOOKTAPE_HOME at another directory.",
        cause
      })
  })
)
