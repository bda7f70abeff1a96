/** What the settings of `guard-destructive` mean, and how its answer reads. */
import type { JsonObject } from "../../../events/intents.ts"
import { callEnvironment, type Environment } from "../../state/callEnvironment.ts"
import { type Action, type Place, ruleIds, type Verdict } from "./rule.ts"
import { packNames, rules } from "./rules.ts"

const textsAt = (settings: JsonObject, key: string): readonly string[] => {
  const value = Object.hasOwn(settings, key) ? settings[key] : undefined
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []
}

const actions: readonly string[] = ["block", "ask", "off"]

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const packsIn = (settings: JsonObject): Readonly<Record<string, Action | "off">> => {
  const value = Object.hasOwn(settings, "packs") ? settings["packs"] : undefined
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, Action | "off"] =>
        packNames.includes(entry[0]) && actions.includes(entry[1] as string)
    )
  )
}

/** To ask the system costs as much as a small guard does: on POSIX it says no more than this. */
const temporaryIn = (environment: Environment): string =>
  process.platform === "win32"
    ? process.getBuiltinModule("node:os").tmpdir()
    : (environment["TMPDIR"] || environment["TMP"] || environment["TEMP"] || "/tmp").replace(/(?<=.)\/$/, "")

/** `packs`: what a pack does. `off`: rules that do not count. `allow`: directories outside the project in which anything may be deleted. */
export const placeOf = (
  settings: JsonObject,
  {
    cwd,
    environment = callEnvironment(),
    project
  }: { readonly cwd: string; readonly project: string; readonly environment?: Environment }
): Place => {
  const home = environment["HOME"] || process.getBuiltinModule("node:os").homedir()
  const temporary = temporaryIn(environment)
  return {
    project,
    cwd,
    home,
    // A variable names it, and might name anything.
    temporary: `${home}/`.startsWith(temporary.replace(/\/*$/, "/")) ? [] : [temporary],
    allow: textsAt(settings, "allow"),
    off: textsAt(settings, "off"),
    packs: packsIn(settings),
    environment
  }
}

/** What is in the settings and means nothing, in words. A rule that is written wrong stays on. */
export const settingsProblems = (settings: JsonObject): readonly SettingsProblem[] => [
  ...listProblems(settings),
  ...packProblems(settings)
]

export interface SettingsProblem {
  readonly reason: string
  /** A rule or a pack that is written wrong, perhaps. */
  readonly rule?: string
  readonly pack?: string
}

const packProblems = (settings: JsonObject): readonly SettingsProblem[] => {
  const value = Object.hasOwn(settings, "packs") ? settings["packs"] : undefined
  if (value === undefined) return []
  if (!isObject(value)) return [{ reason: '"packs" is no object, and counts for nothing' }]
  return Object.entries(value).flatMap(([pack, action]): readonly SettingsProblem[] => {
    if (!packNames.includes(pack))
      return [{ reason: `"packs" names the pack "${pack}", which there is not, and changes nothing`, pack }]
    if (actions.includes(action as string)) return []
    return [
      {
        reason: `"packs" says ${JSON.stringify(action)} of "${pack}", which is none of "block", "ask" and "off", and changes nothing`
      }
    ]
  })
}

const listProblems = (settings: JsonObject): readonly SettingsProblem[] =>
  (["allow", "off"] as const).flatMap((key) => {
    const value = Object.hasOwn(settings, key) ? settings[key] : undefined
    if (value === undefined) return []
    if (!Array.isArray(value)) return [{ reason: `"${key}" is no list, and counts for nothing` }]
    return value.flatMap((one): readonly SettingsProblem[] => {
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
