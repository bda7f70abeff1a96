/** Older shapes of a fact brought to today's, on reading; stored rows are never rewritten. */
import { schemaVersion as current } from "./schemaVersion.ts"

/** From one schema version of a fact to the next. Pure, and total over everything that version ever wrote. */
export type Upcast = (data: unknown) => unknown

/** For each type, what leads from version 1 to 2, from 2 to 3, … A type whose shape never changed has none. */
export type Upcasts = Readonly<Record<string, readonly Upcast[]>>

export const upcasts: Upcasts = {}

/**
 * The data in today's shape, or undefined where there is no way: written by a newer version, by none, or not as that
 * version wrote it.
 */
export const upcast = (
  type: string,
  schemaVersion: number,
  data: unknown,
  table: Upcasts = upcasts,
  to: number = current
): { readonly data: unknown } | undefined => {
  if (!Number.isInteger(schemaVersion) || schemaVersion < 1 || schemaVersion > to) return undefined
  if (schemaVersion === to) return { data }
  const steps = Object.hasOwn(table, type) ? (table[type] ?? []) : []
  let shape = data
  try {
    for (const step of steps.slice(schemaVersion - 1, to - 1)) shape = step(shape)
  } catch {
    return undefined
  }
  return { data: shape }
}

/** The same for whoever only shows or counts it: what there is no way for stays as it was written. */
export const inTodaysShape = (type: string, schemaVersion: number, data: unknown): unknown => {
  const shape = upcast(type, schemaVersion, data)
  return shape === undefined ? data : shape.data
}
