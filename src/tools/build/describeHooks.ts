/** The hooks of a build in words: what `hooktape hooks list` shows. */
import type { JsonObject } from "../../../events/intents.ts"
import type { DescribedHook } from "../../runtime/builds/described.ts"
import { defaultPriority } from "../../runtime/registry.ts"
import type { FoundHook } from "./check.ts"
import { type Plan, settingsOf, sourceOf } from "./generate.ts"

const told = [
  "when",
  "agents",
  "deadline",
  "onFailure",
  "ifCannotAsk",
  "once",
  "cooldown",
  "rateLimit",
  "retry",
  "settings",
  "needsDirectory",
  "final",
  "whenFull",
  "deliver"
]

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What is no JSON as its author would write it. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  if (value["kind"] === "pattern") return `/${value["source"]}/${value["flags"]}`
  if (value["kind"] === "function" && Object.keys(value).length === 1) return "a function"
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
}

export const describeHooks = (
  hooks: readonly FoundHook[],
  settings: Plan["settings"]
): readonly DescribedHook[] =>
  hooks.map((hook): DescribedHook => {
    const own = settingsOf(settings, hook)
    const fields: Readonly<Record<string, unknown>> = { ...hook.fields, ...own }
    const options = told.flatMap((key) =>
      fields[key] === undefined ? [] : [[key, plain(fields[key])] as const]
    )
    return {
      name: hook.hook,
      events: hook.on,
      priority: Number(fields["priority"] ?? defaultPriority),
      owner: hook.owner,
      source: sourceOf(hook),
      enabled: fields["enabled"] !== false,
      removed: own?.enabled === false && hook.enabled,
      background: fields["background"] === true,
      metadata: hook.metadata ?? {},
      options: Object.fromEntries(options) as JsonObject
    }
  })
