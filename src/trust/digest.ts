/** What a hook is, as one digest: its file, everything the build takes in for it, and the settings that concern it. */
import { createHash } from "node:crypto"
import { relative, sep } from "node:path"
import type { Config, HookSettings } from "../state/configShape.ts"

export const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex")

const outOf = `..${sep}`
const modules = `${sep}node_modules${sep}`

/** A path as every checkout has it: packages that lie above the directory are named by their place in `node_modules`. */
export const portable = (level: string, file: string): string => {
  const near = relative(level, file)
  const packaged = file.indexOf(modules)
  const path = near.startsWith(outOf) && packaged !== -1 ? file.slice(packaged + 1) : near
  return path.split(sep).join("/")
}

/** Path → SHA-256 of the content. */
export type Contents = Readonly<Record<string, string>>

export const contentsOf = (level: string, files: Iterable<readonly [string, string]>): Contents =>
  Object.fromEntries([...files].map(([file, text]) => [portable(level, file), hashOf(text)]))

/** Keys in order, so that what says the same is the same. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, ordered(item)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Of the code alone: whoever knows it knows which hooks are in there, without running it. */
export const codeDigest = (
  level: string,
  file: string,
  locals: Iterable<readonly [string, string]>
): string => {
  const parts = [...locals].map(([path, text]) => [portable(level, path), hashOf(text)])
  return hashOf(JSON.stringify(["code", portable(level, file), parts.map(String).sort()]))
}

/** What of a level's configuration concerns these hooks. */
export interface Concerning {
  readonly deadlineMs?: number
  readonly stopBlocks?: number
  readonly hooks?: Readonly<Record<string, HookSettings>>
}

export const concerning = (
  { deadlineMs, hooks = {}, stopBlocks }: Config,
  names: readonly string[]
): Concerning => {
  const own = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(hooks, name) ? [[name, hooks[name] as HookSettings]] : []))
  )
  return {
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(stopBlocks === undefined ? {} : { stopBlocks }),
    ...(Object.keys(own).length === 0 ? {} : { hooks: own })
  }
}

/** Of all hooks that it names. */
export const concerningAll = (config: Config): Concerning =>
  concerning(config, Object.keys(config.hooks ?? {}))

export const hookDigest = (code: string, settings: Concerning): string =>
  hashOf(JSON.stringify(["hook", code, ordered(settings)]))

/** A configuration is more than what concerns single hooks: it decides on hooks that come with hooktape, too. */
export const configDigest = (text: string): string => hashOf(JSON.stringify(["config", text]))
