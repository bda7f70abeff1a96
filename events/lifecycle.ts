/** The twelve moments that hook managers have in common, by the names they go by elsewhere, and what they are called here. */
import type { HookEvent } from "./agentEvents.ts"

export interface Moment {
  readonly event: HookEvent
  /** Before something, hooks may judge it, and mostly change or stop it. After it they react. At a boundary they prepare and clear up. */
  readonly kind: "before" | "after" | "boundary"
  /** How a hook changes what is about to happen. */
  readonly changes?: string
  /** How a hook stops it. */
  readonly stops?: string
}

const block = "`blockingFeedback`"

export const lifecycle = {
  "pre-checkpoint": { event: "checkpoint.before", kind: "before", stops: block },
  "pre-tool-execution": {
    event: "tool.before",
    kind: "before",
    changes: "`modelContext({ updatedInput })`",
    stops: block
  },
  "pre-reflection-store": {
    event: "reflection.before",
    kind: "before",
    changes: "`{ metadata: { text } }`",
    stops: block
  },
  "pre-session-end": { event: "session.ending", kind: "before" },
  "pre-search-query": {
    event: "search.before",
    kind: "before",
    changes: "`{ metadata: { query } }`",
    stops: block
  },
  "post-checkpoint": { event: "checkpoint.after", kind: "after" },
  "post-tool-execution": { event: "tool.after", kind: "after" },
  "post-file-edit": { event: "file.edited", kind: "after" },
  "post-error": { event: "error.observed", kind: "after" },
  "session-start": { event: "session.start", kind: "boundary" },
  "session-end": { event: "session.end", kind: "boundary" },
  "user-prompt-submit": {
    event: "prompt.submit",
    kind: "boundary",
    changes: "`modelContext(text)` adds to it",
    stops: block
  }
} as const satisfies Readonly<Record<string, Moment>>
