/** Files of the project that are left with nothing in them, in a way that no everyday command has. */
import { below, within } from "./folders.ts"
import { absolute, isTemporary } from "./paths.ts"
import { unknown } from "./script.ts"
import { isSecretPath } from "./secretPaths.ts"
import type { ShellState } from "./shellState.ts"
import { isGenerated } from "./tree.ts"

/** A file of the project that no tool makes anew. */
export const isWork = (text: string, state: ShellState): boolean => {
  if (state.remote || state.container !== undefined || text.startsWith(unknown)) return false
  const path = absolute(text, state)
  const { project } = state.place
  return (
    path !== undefined &&
    below(path, project) &&
    !within(path, `${project}/.git`) &&
    !isTemporary(path, state) &&
    !isGenerated(path.slice(project.length + 1))
  )
}

/** What is in them nobody writes again. */
const data =
  /\.(?:csv|tsv|parquet|xlsx?|ods|ndjson|jsonl|avro|orc|feather|hdf5?|h5|np[yz]|sql|dump|dta|sav)(?:\.(?:gz|zst|bz2|xz))?$/i

/** Values of tests anybody writes again. */
const ofTests = /(?:^|[._-])(?:test|ci|e2e)(?:$|[._-])/

/** A file of the project's secrets: what is in it no commit holds. */
export const isKeptSecret = (text: string, state: ShellState): boolean =>
  isSecretPath(text) && !ofTests.test(text.slice(text.lastIndexOf("/") + 1)) && isWork(text, state)

/** Settings that somebody put together by hand: `.env`, `.env.local`, and none that this line made itself. */
export const isEnvironment = (text: string, state: ShellState): boolean => {
  if (!/(?:^|\/)\.env(?:\.(?:local|dev\w*|prod\w*|stag\w*)){0,2}$/.test(text) || !isKeptSecret(text, state))
    return false
  const path = absolute(text, state) ?? ""
  return !state.written.has(path) && !state.copied.has(path)
}

export const isData = (text: string, state: ShellState): boolean => data.test(text) && isWork(text, state)
