/** The states of a chain, here because help and parser need no more of a chain than this. */
import type { ChainState } from "../../../machines/chain.ts"

export const chainStates = [
  "open",
  "attempted",
  "cleared",
  "resolved",
  "suppressed",
  "abandoned"
] as const satisfies ChainState[]
