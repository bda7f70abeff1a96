/** What the settings of `guard-destructive` mean, and how its answer reads. */
import type { JsonObject } from "../../../events/intents.ts"
import { type Place, ruleIds, rules, type Verdict } from "./rule.ts"

const textsAt = (settings: JsonObject, key: string): readonly string[] => {
  const value = Object.hasOwn(settings, key) ? settings[key] : undefined
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []
}

/** `off`: rules that do not count. `allow`: directories outside the project in which anything may be deleted. */
export const placeOf = (
  settings: JsonObject,
  { cwd, project }: { readonly cwd: string; readonly project: string }
): Place => {
  const os = process.getBuiltinModule("node:os")
  const home = process.env["HOME"] || os.homedir()
  const temporary = os.tmpdir()
  return {
    project,
    cwd,
    home,
    // A variable names it, and might name anything.
    temporary: `${home}/`.startsWith(temporary.replace(/\/*$/, "/")) ? [] : [temporary],
    allow: textsAt(settings, "allow"),
    off: textsAt(settings, "off")
  }
}

/** What is in the settings and means nothing, in words. A rule that is written wrong stays on. */
export const settingsProblems = (
  settings: JsonObject
): readonly { readonly reason: string; readonly rule?: string }[] =>
  (["allow", "off"] as const).flatMap((key) => {
    const value = Object.hasOwn(settings, key) ? settings[key] : undefined
    if (value === undefined) return []
    if (!Array.isArray(value)) return [{ reason: `"${key}" is no list, and counts for nothing` }]
    return value.flatMap((one): { readonly reason: string; readonly rule?: string }[] => {
      if (typeof one !== "string")
        return [{ reason: `"${key}" has ${JSON.stringify(one)}, which is no text, and counts for nothing` }]
      if (key === "allow" || (ruleIds as readonly string[]).includes(one)) return []
      return [
        { reason: `"off" names the rule "${one}", which there is not, and switches nothing off`, rule: one }
      ]
    })
  })

export const explanation = ({ rule, reason }: Verdict): string =>
  `guard-destructive (${rule}): ${reason} ${rules[rule].instead}`
