/** Chains in memory: over those that are given, for whoever asks how things stand now. */
import { type Chain, isFollowed } from "./Chain.ts"
import type { ChainStore } from "./follow.ts"
import type { SessionCalls } from "./SessionCalls.ts"
import type { Step } from "./Step.ts"
import type { Scope } from "./scopeKey.ts"
import { scopeKey } from "./scopeKey.ts"

export interface Remembered {
  readonly chains: readonly Chain[]
  readonly calls: ReadonlyMap<string, SessionCalls>
  readonly steps: ReadonlyMap<string, readonly Step[]>
}

const nothing: Remembered = { chains: [], calls: new Map(), steps: new Map() }

export const memoryStore = (
  known: Remembered = nothing
): { readonly store: ChainStore; readonly all: () => readonly Chain[] } => {
  const chains = new Map(known.chains.map((chain) => [chain.id, chain]))
  const calls = new Map(known.calls)
  const steps = new Map([...known.steps].map(([scope, those]) => [scope, [...those]]))
  const all = () => [...chains.values()]
  const isOf = (chain: Chain, scope: Scope) => scopeKey(chain) === scopeKey(scope)
  return {
    all,
    store: {
      calls: (scope) => calls.get(scopeKey(scope)),
      putCalls: (scope, next) => void calls.set(scopeKey(scope), next),
      addStep: (scope, step) => {
        const those = steps.get(scopeKey(scope))
        if (those === undefined) steps.set(scopeKey(scope), [step])
        else those.push(step)
      },
      stepsFrom: (scope, n) => (steps.get(scopeKey(scope)) ?? []).filter((step) => step.n >= n),
      forgetSteps: (scope, before) =>
        void steps.set(
          scopeKey(scope),
          (steps.get(scopeKey(scope)) ?? []).filter(({ n }) => n >= before)
        ),
      followed: (scope) => all().filter((one) => isFollowed(one) && isOf(one, scope)),
      stale: (project, before) =>
        all().filter((one) => isFollowed(one) && one.project === project && one.moved < before),
      isCopied: (toolUseId, scope) =>
        all().some(
          (one) => !isOf(one, scope) && one.sightings.some((sighting) => sighting.toolUseId === toolUseId)
        ),
      put: (chain) => void chains.set(chain.id, chain)
    }
  }
}
