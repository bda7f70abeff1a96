/** Small stories of tool calls, told to the chains one fact after the other. */
import type { Chain, Related } from "../../src/features/chains/Chain.ts"
import { effectText } from "../../src/features/chains/fix.ts"
import { follow } from "../../src/features/chains/follow.ts"
import { memoryStore } from "../../src/features/chains/memoryStore.ts"
import { relatedAll } from "../../src/features/chains/relations.ts"
import { allOf, type Happening } from "./toolCalls.ts"

export interface Placed {
  readonly happening: Happening
  readonly session?: string
  readonly project?: string
  readonly at?: number
}

export type Step = Happening | Placed

const isPlaced = (step: Step): step is Placed => "happening" in step

/** Everything that was told, one fact after the other; the facts of a call have its number as their time. */
export const factsOf = (steps: readonly Step[]) =>
  steps.flatMap((step, nth) => {
    const {
      at = nth + 1,
      happening,
      project = "/p",
      session = "s"
    } = isPlaced(step) ? step : { happening: step }
    return happening.flatMap((told, part) =>
      allOf(told, session).map((data, later) => ({
        data,
        stream: `invocation/i${nth}${part === 0 ? "" : `-${part}`}`,
        position: nth * 10 + part + later,
        agent: "claude-code",
        at,
        project,
        session
      }))
    )
  })

export const story = (...steps: readonly Step[]): readonly Related[] => {
  const { all, store } = memoryStore()
  for (const { data, ...place } of factsOf(steps)) follow(store, data, place)
  return relatedAll(all())
}

export const tried = ([chain]: readonly Chain[]) =>
  chain?.attempts.map(({ effects, helped }) => [effects.map(({ what }) => what), helped])

export const fixes = (chain: Chain | undefined) =>
  chain?.ending?.fix.map((effect) => effectText(effect, "/p"))
