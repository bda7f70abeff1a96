/**
 * Trust was kept by path and last content; it is kept by digest of content. Which files make up a hook is not known here: what was
 * trusted is kept as history, and the next build that finds those files unchanged makes digests of them.
 */
import { join } from "node:path"
import { writeWhole } from "../../state/files.ts"
import { readPrivate } from "../../state/state.ts"
import { trustOfBefore } from "../../trust/store.ts"

/** What cannot be read trusts nothing, and stays as it is: its user may want to look at it. */
const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    return undefined
  }
}

export const trustByContent = {
  number: 1,
  about: "What is trusted is known by digests of its content, no longer by its path.",
  apply: (state: string): void => {
    const file = join(state, "trust.json")
    const bytes = readPrivate(file)
    if (bytes === undefined) return
    const migrated = trustOfBefore(parsed(bytes))
    if (migrated !== undefined) writeWhole(file, `${JSON.stringify(migrated, null, 2)}\n`)
  }
} as const
