/** How chains stand to those that were opened before them. Pure. */
import type { Chain, Earlier, Related } from "./Chain.ts"

/** Of several that were opened at once, the one with the smaller number. */
export const isBefore = (a: Pick<Chain, "id" | "opened">, b: Pick<Chain, "id" | "opened">): boolean =>
  a.opened !== b.opened
    ? a.opened < b.opened
    : a.id.length !== b.id.length
      ? a.id.length < b.id.length
      : a.id < b.id

const earlierOf = (chain: Chain): Earlier => ({
  chain: chain.id,
  toolUseId: chain.sightings[0]?.toolUseId ?? ""
})

/** `same`: the newest of its signature that was opened before; `alike`: of its pattern. */
export const related = (chain: Chain, same: Chain | undefined, alike: Chain | undefined): Related => {
  const found = same ?? alike
  if (found === undefined) return { ...chain, relation: "new", earlier: null }
  return {
    ...chain,
    relation: same === undefined ? "same pattern" : "recurrence",
    earlier: earlierOf(found)
  }
}

/** All of them, each related to the others. */
export const relatedAll = (chains: readonly Chain[]): readonly Related[] => {
  const newest = (chain: Chain, by: "signature" | "pattern"): Chain | undefined =>
    chains
      .filter((one) => one[by] === chain[by] && isBefore(one, chain))
      .reduce<Chain | undefined>(
        (found, one) => (found === undefined || isBefore(found, one) ? one : found),
        undefined
      )
  return chains.map((chain) => related(chain, newest(chain, "signature"), newest(chain, "pattern")))
}
