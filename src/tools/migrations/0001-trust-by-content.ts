/**
 * Trust was kept by path and last content; it is kept by digest of content. Which files make up a hook is not known here: what was
 * trusted is kept as history, and the next build that finds those files unchanged makes digests of them.
 */
import { readPrivate } from "../../state/state.ts"
import { trustFile, trustOfBefore } from "../../trust/store.ts"
import type { Migration } from "./Migration.ts"

/** What cannot be read trusts nothing, and stays as it is: its user may want to look at it. */
const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    return undefined
  }
}

export const trustByContent: Migration = {
  number: 1,
  name: "trust-by-content",
  from: "0.1.0",
  to: "0.2.0",
  of: "trust",
  about: "What is trusted is known by digests of its content, no longer by its path.",
  plan: ({ project, state }) => {
    const file = trustFile(state)
    const bytes = project === undefined ? readPrivate(file) : undefined
    const migrated = bytes === undefined ? undefined : trustOfBefore(parsed(bytes))
    if (migrated === undefined) return []
    return [{ kind: "file", file, next: Buffer.from(`${JSON.stringify(migrated, null, 2)}\n`) }]
  }
}
