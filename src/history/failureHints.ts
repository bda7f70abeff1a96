/** Of which failing hooks the human was told in which session: once each, also by processes that fail at the same moment. */
import { closeSync, openSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileKey } from "../state/fileKey.ts"
import { newFile, privateDirectory } from "../state/state.ts"

export interface FailureHints {
  /** Enters that it is told now; false where it was told before. */
  readonly enter: (hook: string, session: string) => boolean
  /** It did not reach anybody: the next failure is told. */
  readonly strike: (hook: string, session: string) => void
}

/** Among the runs that count against limits, and forgotten with those of a session. */
const fileOf = (state: string, hook: string, session: string): string =>
  join(state, "limits", `session-failure-${fileKey(JSON.stringify([hook, session]))}`)

export const makeFailureHints = (state: string): FailureHints => ({
  enter: (hook, session) => {
    try {
      privateDirectory(join(state, "limits"))
      closeSync(openSync(fileOf(state, hook, session), newFile, 0o600))
      return true
    } catch (cause) {
      // What cannot be kept is told again rather than never.
      return (cause as NodeJS.ErrnoException).code !== "EEXIST"
    }
  },
  strike: (hook, session) => rmSync(fileOf(state, hook, session), { force: true })
})

/** None where a variable of the environment says so, as a test of hooks does: what is said once would differ from run to run. */
export const failureHintsFor = (state: string, wanted: string | undefined): FailureHints | undefined =>
  wanted === "off" ? undefined : makeFailureHints(state)

/** Of a call that is done again: those are told who were told then. */
export const hintedBefore = (hooks: readonly string[]): FailureHints => ({
  enter: (hook) => hooks.includes(hook),
  strike: () => {}
})
