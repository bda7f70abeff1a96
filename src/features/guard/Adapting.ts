/** What turning unbash's tree into ours needs at every place: what is left of the budget, and how to read on. */
import type { ParsedScript } from "unbash"
import type { Budget, Script } from "./script.ts"

export interface Adapting {
  readonly budget: Budget
  readonly readText: (text: string) => Script
  /** Commands stand within words, and words within commands. */
  readonly readTree: (tree: ParsedScript) => Script
}
