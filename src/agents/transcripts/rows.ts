/** Reading rows that nobody promised: what is not of the expected shape is not there. Pure. */
import type { Json, JsonObject } from "../../../events/intents.ts"
import { isObject } from "../shape.ts"

export const textAt = (row: JsonObject | undefined, name: string): string | undefined => {
  const value = row?.[name]
  return typeof value === "string" ? value : undefined
}

export const numberAt = (row: JsonObject | undefined, name: string): number | undefined => {
  const value = row?.[name]
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

export const objectAt = (row: JsonObject | undefined, name: string): JsonObject | undefined => {
  const value = row?.[name]
  return isObject(value) ? value : undefined
}

export const listAt = (row: JsonObject | undefined, name: string): readonly JsonObject[] => {
  const value = row?.[name]
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
}

/** Milliseconds since 1970 of a time as agents write it. */
export const timeAt = (row: JsonObject | undefined, name = "timestamp"): number | undefined => {
  const value = row?.[name]
  const at = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN
  return Number.isFinite(at) ? at : undefined
}
