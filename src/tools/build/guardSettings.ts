/** Settings of the guard that mean nothing: a rule that is written wrong would stay on, and nobody would know why. */
import { join } from "node:path"
import type { JsonObject } from "../../../events/intents.ts"
import { guardDestructive } from "../../features/guard/guardDestructive.ts"
import { ruleIds } from "../../features/guard/rule.ts"
import { packNames } from "../../features/guard/rules.ts"
import { settingsProblems } from "../../features/guard/settings.ts"
import { didYouMean, type Problem } from "../../hooks/Problem.ts"
import type { Config } from "../../state/configShape.ts"

/** Of the user's configuration: no other counts for it. */
export const guardSettingsProblems = ({ hooks = {} }: Config, userFolder: string): readonly Problem[] => {
  const { name } = guardDestructive
  const settings = Object.hasOwn(hooks, name) ? hooks[name]?.settings : undefined
  return settingsProblems((settings ?? {}) as JsonObject).map(({ pack, reason, rule }) => {
    const remedy =
      rule !== undefined
        ? didYouMean(rule, ruleIds)
        : pack !== undefined
          ? didYouMean(pack, packNames)
          : undefined
    return {
      file: join(userFolder, "config.json"),
      reason: `settings of "${name}": ${reason}`,
      ...(remedy === undefined ? {} : { remedy })
    }
  })
}
