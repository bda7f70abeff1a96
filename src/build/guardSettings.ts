/** Settings of the guard that mean nothing: a rule that is written wrong would stay on, and nobody would know why. */
import { join } from "node:path"
import type { JsonObject } from "../../events/intents.ts"
import { ruleIds } from "../defaults/guard/rule.ts"
import { packNames } from "../defaults/guard/rules.ts"
import { settingsProblems } from "../defaults/guard/settings.ts"
import { guardDestructive } from "../defaults/guardDestructive.ts"
import type { Config } from "../hooks/config.ts"
import { didYouMean, type Problem } from "../hooks/Problem.ts"

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
