/** Files of the project that are left with nothing in them, in a way that no everyday command has. */
import { below, within } from "./folders.ts"
import { absolute, isTemporary } from "./paths.ts"
import { unknown } from "./script.ts"
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

export const isData = (text: string, state: ShellState): boolean => data.test(text) && isWork(text, state)
