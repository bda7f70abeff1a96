/** Says what a hook file exports. Bundled with that file and run in a process of its own, which may not survive it. */
import { closeSync, writeSync } from "node:fs"
import type { JsonObject } from "../../../events/intents.ts"
import { isHook } from "../../hooks/defineHook.ts"
import { watched } from "../../runtime/watchdog.ts"

/** A value as far as a check needs it: JSON as it is, everything else as `{ kind }`. */
export type Described =
  | null
  | boolean
  | number
  | string
  | readonly Described[]
  | { readonly [key: string]: Described }

export interface DescribedExport {
  /** The name of the export, `default` for the default one. */
  readonly name: string
  /** Where in it, if it is a list. */
  readonly path: readonly number[]
  readonly isHook: boolean
  readonly fields: { readonly [key: string]: Described }
  /** As its author wrote it, where that is plain and not too much. */
  readonly metadata?: JsonObject
}

export type Report =
  | { readonly exports: readonly DescribedExport[] }
  | { readonly error: { readonly name: string; readonly message: string; readonly stack: string } }

const describeValue = (value: unknown, depth: number): Described => {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value
  if (typeof value === "number") return Number.isFinite(value) ? value : { kind: String(value) }
  if (value instanceof RegExp) return { kind: "pattern", source: value.source, flags: value.flags }
  if (typeof value !== "object" || depth === 0) return { kind: typeof value }
  if (Array.isArray(value)) return value.map((item) => describeValue(item, depth - 1))
  const fields: Record<string, Described> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) fields[key] = describeValue(item, depth - 1)
  }
  return fields
}

/** What a check needs of a hook. Metadata is the author's: any size, any depth, nothing to check. */
export const describeHook = (value: object): DescribedExport["fields"] => {
  const { metadata: _, ...rest } = value as Record<string, unknown>
  return describeValue(rest, 4) as Record<string, Described>
}

const longestMetadata = 4000

/** Notes of the author's: shown where they are plain, and never worth a failed build. */
export const metadataOf = (value: object): { readonly metadata?: JsonObject } => {
  try {
    const text = JSON.stringify((value as { readonly metadata?: unknown }).metadata)
    if (text === undefined || text.length > longestMetadata) return {}
    const metadata: unknown = JSON.parse(text)
    return typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)
      ? { metadata: metadata as JsonObject }
      : {}
  } catch {
    return {}
  }
}

/** A plain object that reads like a hook: its author forgot `defineHook`. */
const looksLikeHook = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "on" in value && "run" in value

const describeExport = (
  name: string,
  path: readonly number[],
  value: unknown,
  seen: Set<unknown>
): readonly DescribedExport[] => {
  if (Array.isArray(value))
    return value.flatMap((item, at) => describeExport(name, [...path, at], item, seen))
  if ((!isHook(value) && !looksLikeHook(value)) || seen.has(value)) return []
  // One hook under two names is one hook.
  seen.add(value)
  return [
    {
      name,
      path,
      isHook: isHook(value),
      fields: describeHook(value as object),
      ...metadataOf(value as object)
    }
  ]
}

const describeModule = (module: unknown): readonly DescribedExport[] => {
  const seen = new Set<unknown>()
  // A CommonJS file may export one hook or a list in place of named ones.
  if (isHook(module) || Array.isArray(module)) return describeExport("default", [], module, seen)
  return Object.entries(module as object).flatMap(([name, value]) => describeExport(name, [], value, seen))
}

/** Somewhat longer than the parent waits: the parent may be gone, and a file that spins would spin on for ever. */
const longestMs = 8000

const reportOf = (load: () => unknown): Report => {
  try {
    return { exports: describeModule(watched(longestMs, load)) }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    return { error: { name: error.name, message: error.message, stack: error.stack ?? "" } }
  }
}

/** The parent reads until the descriptor closes and then ends this process, whatever the file has left running. */
export const report = (load: () => unknown): void => {
  const bytes = new TextEncoder().encode(JSON.stringify(reportOf(load)))
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
  closeSync(3)
}
