/** Chains as a fold over what is shipped of them: a chain is the state, the findings of a call are what moves it. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Findings } from "../../../events/findings.ts"
import type { KeyedFold, PlacedFact } from "../../log/KeyedFold.ts"
import type { Chain } from "./Chain.ts"
import { signed } from "./foundSigns.ts"

const decode = Schema.decodeUnknownOption(Schema.Struct({ findings: Findings }))

const findingsIn = ({ data }: PlacedFact): Findings =>
  Option.match(decode(data), { onNone: () => ({}), onSome: ({ findings }) => findings })

export const chainStates: KeyedFold<Chain> = {
  name: "chain_states",
  version: 1,
  types: ["PAYLOAD_BUFFERED"],
  keysOf: (fact) => [...new Set((findingsIn(fact).signs ?? []).flatMap(({ chain }) => chain ?? []))],
  step: (before, fact, key) => {
    const found = findingsIn(fact)
    const own = (found.signs ?? []).filter(({ chain }) => chain === key)
    return own.reduce<Chain | undefined>(
      (chain, one) => signed(chain, found, one, fact.place)?.chain ?? chain,
      before
    )
  }
}
