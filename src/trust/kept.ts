/** What was trusted, kept as it was: compiled, so that it runs whatever becomes of its files, and readable, to show what changed. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "../../events/intents.ts"
import { writeWhole } from "../state/files.ts"
import { isNewerFile, refuseNewer } from "../state/newerFile.ts"
import type { Concerning, Contents } from "./digest.ts"
import type { Trusted } from "./store.ts"

/** A hook as its file exported it. */
export interface KeptHook {
  readonly name: string
  readonly path: readonly number[]
  readonly hook: string
  readonly on: readonly string[]
  readonly fields: JsonObject
  readonly metadata?: JsonObject
}

export interface Kept {
  readonly version: 1
  readonly digest: string
  readonly kind: Trusted["kind"]
  readonly owner: "user" | "project"
  /** Within its level, with forward slashes. */
  readonly file: string
  readonly contents: Contents
  /** Texts of what somebody wrote; of packages only what they hash to is kept. */
  readonly texts: Readonly<Record<string, string>>
  readonly settings: Concerning
  readonly hooks: readonly KeptHook[]
  /** SHA-256 of the compiled form. */
  readonly compiled?: string
  /** Whether its handlers return Effects. */
  readonly effect?: true
}

const folderOf = (state: string, digest: string): string => join(state, "trusted", "content", digest)

export const compiledFile = (state: string, digest: string): string =>
  join(folderOf(state, digest), "hook.cjs")

const entryFile = (state: string, digest: string): string => join(folderOf(state, digest), "entry.json")

const aDigest = /^[0-9a-f]{64}$/

/** Loaded when something is to be checked: most hook calls check nothing. */
const sha256 = (text: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex")

/** Of a shape that this version does not know. */
export const isNewerKept = (state: string, digest: string): boolean =>
  aDigest.test(digest) && isNewerFile(entryFile(state, digest))

/** Before it is written, or taken for nothing. */
export const refuseNewerKept = (state: string, digest: string): void => {
  if (aDigest.test(digest)) refuseNewer(entryFile(state, digest))
}

export const readKept = (state: string, digest: string): Kept | undefined => {
  if (!aDigest.test(digest)) return undefined
  try {
    const kept = JSON.parse(readFileSync(entryFile(state, digest), "utf8")) as Kept
    return kept.version === 1 && kept.digest === digest ? kept : undefined
  } catch {
    return undefined
  }
}

/** The compiled form, if it is what was kept. */
export const readCompiled = (state: string, { compiled, digest }: Kept): string | undefined => {
  try {
    const text = readFileSync(compiledFile(state, digest), "utf8")
    return sha256(text) === compiled ? text : undefined
  } catch {
    return undefined
  }
}

export const isKept = (state: string, digest: string): boolean => {
  const kept = readKept(state, digest)
  if (kept === undefined) return false
  return (
    kept.kind !== "hook" ||
    (existsSync(compiledFile(state, digest)) && readCompiled(state, kept) !== undefined)
  )
}

export const writeKept = (
  state: string,
  kept: Omit<Kept, "version" | "compiled">,
  compiled?: string
): void => {
  refuseNewerKept(state, kept.digest)
  if (compiled !== undefined) writeWhole(compiledFile(state, kept.digest), compiled)
  const entry: Kept = {
    version: 1,
    ...kept,
    ...(compiled === undefined ? {} : { compiled: sha256(compiled) })
  }
  writeWhole(entryFile(state, kept.digest), `${JSON.stringify(entry)}\n`)
}
