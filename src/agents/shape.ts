/** A small language for describing JSON as plain data: from one description come a type, a check and a schema. */
import type { Json, JsonObject } from "../../events/intents.ts"

/** A struct names its fields; a field whose name ends in `?` may be missing. */
export type Fields = { readonly [field: string]: Shape }

export type Shape =
  | "string"
  | "number"
  | "boolean"
  | "json"
  | "object"
  /** One word of a closed set. */
  | { readonly oneOf: readonly string[] }
  /** Any string; these are the ones seen so far. */
  | { readonly word: readonly string[] }
  | { readonly listOf: Shape }
  | { readonly nullOr: Shape }
  /** An object that may have more fields than these. */
  | { readonly fields: Fields }
  /** An object that has no fields but these. */
  | { readonly only: Fields }

type OpenWord<W extends string> = W | (string & Record<never, never>)

/** The type that a shape describes. */
export type Of<S> = S extends "string"
  ? string
  : S extends "number"
    ? number
    : S extends "boolean"
      ? boolean
      : S extends "json"
        ? Json
        : S extends "object"
          ? JsonObject
          : S extends { readonly oneOf: readonly (infer W extends string)[] }
            ? W
            : S extends { readonly word: readonly (infer W extends string)[] }
              ? OpenWord<W>
              : S extends { readonly listOf: infer I }
                ? readonly Of<I>[]
                : S extends { readonly nullOr: infer I }
                  ? Of<I> | null
                  : S extends { readonly fields: infer F }
                    ? Struct<F>
                    : S extends { readonly only: infer F }
                      ? Struct<F>
                      : never

/** The type of an object with these fields. */
export type Struct<F> = {
  readonly [K in keyof F as K extends `${string}?` ? never : K]: Of<F[K]>
} & {
  readonly [K in keyof F as K extends `${infer Name}?` ? Name : never]?: Of<F[K]>
}

/** A field's name, and whether it may be missing. */
export const fieldOf = (key: string): { readonly name: string; readonly optional: boolean } =>
  key.endsWith("?") ? { name: key.slice(0, -1), optional: true } : { name: key, optional: false }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const inObject = (fields: Fields, closed: boolean, value: unknown, at: string): readonly string[] => {
  if (!isObject(value)) return [at]
  const wrong: string[] = []
  const names = new Set<string>()
  for (const key of Object.keys(fields)) {
    const { name, optional } = fieldOf(key)
    names.add(name)
    const path = at === "" ? name : `${at}.${name}`
    if (Object.hasOwn(value, name)) wrong.push(...mismatches(fields[key] as Shape, value[name], path))
    else if (!optional) wrong.push(path)
  }
  if (closed)
    for (const name of Object.keys(value))
      if (!names.has(name)) wrong.push(at === "" ? name : `${at}.${name}`)
  return wrong
}

/** Dotted names of what does not have its shape; none when the value is as described. Linear in the value. */
export const mismatches = (shape: Shape, value: unknown, at = ""): readonly string[] => {
  if (typeof shape === "string") {
    const fits =
      shape === "json" ? value !== undefined : shape === "object" ? isObject(value) : typeof value === shape
    return fits ? [] : [at]
  }
  if ("oneOf" in shape) return shape.oneOf.includes(value as string) ? [] : [at]
  if ("word" in shape) return typeof value === "string" ? [] : [at]
  if ("nullOr" in shape) return value === null ? [] : mismatches(shape.nullOr, value, at)
  if ("fields" in shape) return inObject(shape.fields, false, value, at)
  if ("only" in shape) return inObject(shape.only, true, value, at)
  return Array.isArray(value)
    ? value.flatMap((item, index) => mismatches(shape.listOf, item, `${at}[${index}]`))
    : [at]
}

/** What of a payload can be used: the described fields that are there and have their shape. */
export interface Read {
  readonly fields: JsonObject
  readonly drift: readonly string[]
}

/** A list of a million wrong items is one finding, not a million. */
const maxNamed = 5

/** Reads a payload without ever rejecting it: a wrong field is named as drift and left out, a missing one is just not there. */
export const read = (described: Fields, payload: JsonObject): Read => {
  const fields: Record<string, Json> = {}
  const drift: string[] = []
  for (const key of Object.keys(described)) {
    const { name } = fieldOf(key)
    if (!Object.hasOwn(payload, name)) continue
    const value = payload[name] as Json
    const wrong = mismatches(described[key] as Shape, value, name)
    if (wrong.length === 0) fields[name] = value
    else drift.push(...wrong.slice(0, maxNamed))
  }
  return { fields, drift }
}
