/** A projection as pure steps over states that are kept by key: whatever store keeps them, SQLite here or PostgreSQL in a fleet. */
import type { FactPlace } from "./projection.ts"
import type { Versioned } from "./projectionMark.ts"

/** A fact as it is on the log, or as much of it as was shipped. */
export interface PlacedFact {
  readonly type: string
  readonly data: unknown
  readonly place: FactPlace
}

/** `S` is plain data: it is kept as JSON. */
export interface KeyedFold<S> extends Versioned {
  /** The types of facts that mean anything to it. */
  readonly types: readonly string[]
  /** Those of which it looks at the data; of others it gets null, which costs a store nothing to read. Default: all. */
  readonly reads?: readonly string[]
  /** Whose states a fact changes, each once. */
  readonly keysOf: (fact: PlacedFact) => readonly string[]
  /**
   * `state`: undefined before the first; so is what is returned where the fact begins none. Throws where the fact's data is not what its type says. A method, so that a list may hold folds of
   * several states: whoever goes through one gives each fold only what it returned.
   */
  step(state: S | undefined, fact: PlacedFact, key: string): S | undefined
}
