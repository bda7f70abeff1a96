/** Chains as a fold over what is shipped of them: a chain is the state, the findings of a call are what moves it. */
import type { KeyedFold } from "../../log/KeyedFold.ts"
import { findingsOf, mayTell } from "../findings/findingsOf.ts"
import type { Chain } from "./Chain.ts"
import { signed } from "./foundSigns.ts"

export const chainStates: KeyedFold<Chain> = {
  name: "chain_states",
  version: 1,
  types: ["PAYLOAD_BUFFERED"],
  keysOf: (fact) =>
    mayTell(fact, "signs")
      ? [...new Set((findingsOf(fact)?.signs ?? []).flatMap(({ chain }) => chain ?? []))]
      : [],
  step: (before, fact, key) => {
    const found = findingsOf(fact) ?? {}
    const own = (found.signs ?? []).filter(({ chain }) => chain === key)
    return own.reduce<Chain | undefined>(
      (chain, one) => signed(chain, found, one, fact.place)?.chain ?? chain,
      before
    )
  }
}
