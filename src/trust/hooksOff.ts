/** The settings by which an agent runs no hook at all, in the files of a repository that it takes settings from. */

export interface HooksOff {
  /** From the repository's root. */
  readonly path: readonly string[]
  /** As the agent calls it. */
  readonly name: string
  /** Of the file's text. */
  readonly isOff: (text: string) => boolean
}

const valueAt = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === "object" && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined,
    json
  )

/** A file with comments, or one that is broken, is searched as a text. */
const inJson =
  (path: readonly string[], off: boolean, lax: RegExp) =>
  (text: string): boolean => {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return lax.test(text)
    }
    return valueAt(json, path) === off
  }

const disabled = inJson(["disableAllHooks"], true, /"disableAllHooks"\s{0,9}:\s{0,9}true/)

/** Keys may be quoted, dotted, in a table or in one within a line. */
const inToml = (text: string): boolean => {
  let table = ""
  for (const line of text.split("\n")) {
    const bare = line.replace(/["'\s]/g, "")
    if (bare.startsWith("#")) continue
    const header = /^\[([^[\]]*)\]/.exec(bare)
    if (header !== null) table = `${header[1]}.`
    else if (/^features(?:\.|=\{(?:[^}]*,)?)(?:codex_)?hooks=false/.test(table + bare)) return true
  }
  return false
}

export const hooksOff: readonly HooksOff[] = [
  { path: [".claude", "settings.json"], name: "disableAllHooks", isOff: disabled },
  { path: [".claude", "settings.local.json"], name: "disableAllHooks", isOff: disabled },
  { path: [".qwen", "settings.json"], name: "disableAllHooks", isOff: disabled },
  { path: [".codex", "config.toml"], name: "features.hooks", isOff: inToml },
  {
    path: [".gemini", "settings.json"],
    name: "hooksConfig.enabled",
    isOff: inJson(
      ["hooksConfig", "enabled"],
      false,
      /"hooksConfig"\s{0,9}:\s{0,9}\{[^{}]{0,2000}"enabled"\s{0,9}:\s{0,9}false/
    )
  }
]
