/** What of a change is trusted without a word while `hooktape dev` runs, and what waits for one. Pure. */
import type { Review, Reviewed } from "../build/trust.ts"

export interface Saves {
  /** Files of the review that are trusted as they are now. */
  readonly trusted: readonly string[]
  /** Those that wait, each with why. */
  readonly waiting: ReadonlyMap<string, string>
}

export interface Seen {
  /** Whether the person said that saves count. */
  readonly savesCount: boolean
  /** Files that were not trusted before this change, as seen from the project. */
  readonly waitedBefore: ReadonlySet<string>
  /** Why the person cannot have been the one who changed it; undefined where nothing speaks against it. */
  readonly against: (file: string) => string | undefined
}

const openFiles = ({ files }: Reviewed): readonly string[] =>
  files.filter(({ change }) => change !== "same").map(({ file }) => file)

const whyNot = (item: Reviewed, { against, savesCount, waitedBefore }: Seen): string | undefined => {
  if (!savesCount) return "not trusted"
  for (const file of openFiles(item)) {
    // What stood in it before may be somebody else's: a save on top does not vouch for it.
    if (waitedBefore.has(file)) return `${file} was not trusted before this save`
    const reason = against(file)
    if (reason !== undefined) return reason
  }
  return undefined
}

export const decideSaves = ({ gone, items }: Review, seen: Seen): Saves => {
  const open = items.filter(({ change }) => change === "new" || change === "changed")
  const judged = open.map((item) => ({ item, why: whyNot(item, seen) }))
  const missing = gone.find(({ guarded }) => guarded.length > 0)
  const waiting = new Map<string, string>()
  for (const { item, why } of judged) {
    if (why === undefined) continue
    for (const file of [item.file, ...openFiles(item)]) waiting.set(file, why)
  }
  if (missing !== undefined) waiting.set(missing.file, `a guard for ${missing.guarded.join(", ")} is gone`)
  return { trusted: judged.filter(({ why }) => why === undefined).map(({ item }) => item.file), waiting }
}
