/** Somebody who waits for many hook files: is told how far it is, and waits for each to be loaded once. */
import type { Problem } from "../../hooks/Problem.ts"
import type { FoundHook } from "./check.ts"

export interface Loaded {
  readonly hooks: readonly FoundHook[]
  readonly problems: readonly Problem[]
}

export interface Watching {
  /** By the digest of the code: to load a hook takes a process, and a build that follows at once would hear the same. */
  readonly loaded: Map<string, Loaded>
  readonly told: (what: "read" | "loaded") => void
}
