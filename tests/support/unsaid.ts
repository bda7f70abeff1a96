/** A chain as it is known where no text of it is: what is shipped of it is held to this. */
import type { Effect } from "../../machines/chain.ts"
import type { Chain } from "../../src/features/chains/Chain.ts"
import { notShipped } from "../../src/features/chains/foundSigns.ts"

const unsaidEffects = (effects: readonly Effect[]): readonly Effect[] =>
  effects.map((effect) => ({ ...effect, what: notShipped }))

export const unsaid = (chain: Chain) => {
  // `position`: a call that ended before its turn is told of with the fact that made it its turn.
  const { attempts, collected: _, context, ending, position: __, problem, seen: ___, ...others } = chain
  const { signature, subject: ____, ...rest } = others
  return {
    ...rest,
    signature,
    problem: { family: problem.family, message: `${signature} (text not shipped)` },
    context: { tool: context.tool, command: null, path: null, cwd: null },
    attempts: attempts.map((one) => ({
      ...one,
      effects: unsaidEffects(one.effects),
      how: one.how.endsWith(" went well") ? `${notShipped} went well` : one.how
    })),
    ending: ending && { ...ending, by: notShipped, fix: unsaidEffects(ending.fix) }
  }
}
