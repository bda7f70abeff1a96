/** One thing that the session monitor found wrong, and what to do about it: a plain value. */
import type { Json, JsonObject } from "../../../events/intents.ts"

export type Severity = "critical" | "warning"

export interface Finding {
  readonly category: string
  readonly severity: Severity
  /** What it is about: a note, a hook, an invocation, a file. */
  readonly reference: string | null
  readonly description: string
  readonly recommendation: string
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const textAt = (value: JsonObject, key: string, otherwise = ""): string => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof found === "string" ? found : otherwise
}

export const findingToJson = (finding: Finding): JsonObject => ({ ...finding })

/** Whatever is missing is empty; what is no severity is a warning. */
export const findingFromJson = (value: Json | undefined): Finding => {
  const given = isObject(value) ? value : {}
  return {
    category: textAt(given, "category"),
    severity: textAt(given, "severity") === "critical" ? "critical" : "warning",
    reference: textAt(given, "reference") || null,
    description: textAt(given, "description"),
    recommendation: textAt(given, "recommendation")
  }
}

export const countOf = (findings: readonly Finding[], severity: Severity): number =>
  findings.filter((finding) => finding.severity === severity).length
