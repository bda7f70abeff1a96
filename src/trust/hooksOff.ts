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

/** `"\u0058DG_CONFIG_HOME"` is the same name. */
export const unescaped = (text: string): string =>
  text.replace(/\\u([0-9a-fA-F]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** Comments outside of texts, and commas behind the last. */
const allowed = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[^*]*\*\/|,(?=[ \t\r\n]{0,99}[}\]])/g

/** As agents read it that allow those; undefined where it is broken. */
const parsed = (text: string): unknown => {
  for (const plain of [text, text.replace(allowed, (_, kept: string | undefined) => kept ?? "")])
    try {
      return JSON.parse(plain)
    } catch {
      // Not as it stands there.
    }
  return undefined
}

/** One that is broken is searched as a text. */
const inJson =
  (path: readonly string[], off: boolean, lax: RegExp) =>
  (text: string): boolean => {
    const json = parsed(text)
    return json === undefined ? lax.test(unescaped(text)) : valueAt(json, path) === off
  }

const disabled = inJson(["disableAllHooks"], true, /"disableAllHooks"\s{0,9}:\s{0,9}true/)

/** Keys may be quoted, dotted, in a table or in one within a line. */
const inToml = (text: string): boolean => {
  let table = ""
  for (const line of text.split("\n")) {
    const bare = line.replace(/["'\s]/g, "")
    if (bare.startsWith("#")) continue
    const header = /^\[([A-Za-z_][^[\]]*)\]/.exec(bare)
    if (header !== null) table = `${header[1]}.`
    else if (/^features(?:\.|=\{(?:.*[{,])?)(?:codex_)?hooks=false/.test(table + bare)) return true
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
