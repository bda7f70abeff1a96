/** What whoever serves the inspector can have done: none of it is delivered to an agent or put on the log. */
import type { InvocationFact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"

/** A call done again. */
export interface Again {
  readonly facts: readonly InvocationFact[]
  /** Where it first came out otherwise: the fact's place on the log, the place in the fact, and what stands there. */
  readonly first:
    | { readonly position: number; readonly at: string; readonly recorded: unknown; readonly now: unknown }
    | undefined
}

/**
 * `recorded`: no hook runs, the machine takes the recorded outcomes. `today`: the hooks that are trusted and built now for the call's own
 * project. Else those of another directory, one of `directories`.
 */
export type With = "recorded" | "today" | { readonly directory: string }

export interface Acts {
  /** For which hooks are built: what is not trusted there is in no build. */
  readonly directories: () => readonly string[]
  /** `facts` of one call; why it cannot be done again where it cannot. */
  readonly again: (facts: readonly Recorded[], how: With) => Promise<Again | { readonly reason: string }>
  /** The file that a call was kept in. Rejects with the reason where it cannot be kept. */
  readonly fixture: (invocation: string) => Promise<string>
}
