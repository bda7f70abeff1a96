/** What the settings of `guard-destructive` mean, and how its answer reads. */
import type { JsonObject } from "../../../events/intents.ts"
import { type Place, rules, type Verdict } from "./rule.ts"

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

export const explanation = ({ rule, reason }: Verdict): string =>
  `guard-destructive (${rule}): ${reason} ${rules[rule].instead}`
