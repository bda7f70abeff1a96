/** Variables that a package manager sets for the scripts of a package, as far as those name them. */

import { quoted } from "../../../state/shellWord.ts"
import { isObject, type Members } from "./jsonMember.ts"
import { longestValue } from "./Recipe.ts"
import { unquoted } from "./yamlLines.ts"

export interface ScriptSetting {
  readonly manifest: Members
  /** Options and settings of the package manager, `key=value`; the last one counts. */
  readonly config: readonly string[]
  /** Where the package manager was started. */
  readonly from: string
  /** The manifest's own file. */
  readonly file: string
}

/** More names than these a script does not name. */
const maxNames = 100
const maxMembers = 5000
const deepest = 6

const named = /\b(?:npm_(?:package|config)_\w+|npm_execpath|npm_node_execpath|npm_lifecycle_script|INIT_CWD)/g

export const namesVariables = (script: string): boolean => script.search(named) >= 0

const flattened = (value: unknown, name: string, into: Map<string, string>, depth = 0): void => {
  if (depth > deepest || into.size > maxMembers) return
  if (isObject(value) || Array.isArray(value))
    for (const [key, one] of Object.entries(value))
      flattened(one, `${name}_${key.replaceAll(/\W/g, "_")}`, into, depth + 1)
  else into.set(name, String(value))
}

const keyOf = (line: string): string =>
  line.slice(0, line.indexOf("=")).trim().toLowerCase().replaceAll("-", "_").replace(/\[\]$/, "")

/** All that a setting of the package manager is told to be, the last one last. */
export const configuredAll = (config: readonly string[], name: string): readonly string[] => {
  const wanted = name.toLowerCase()
  return config
    .filter((line) => line.includes("=") && keyOf(line) === wanted)
    .map((line) => unquoted(line.slice(line.indexOf("=") + 1)))
}

/** What a setting of the package manager is, by the name of its variable without what all of them begin with. */
export const configured = (config: readonly string[], name: string): string | undefined =>
  configuredAll(config, name).at(-1)

/** As lines of a shell. */
export const variablesOf = (
  scripts: readonly string[],
  { config, file, from, manifest }: ScriptSetting
): readonly string[] => {
  const names = [...new Set(scripts.flatMap((script) => script.match(named) ?? []))].slice(0, maxNames)
  if (names.length === 0) return []
  const ofManifest = new Map([["npm_package_json", file]])
  flattened(manifest, "npm_package", ofManifest)
  const valueOf = (name: string): string | undefined => {
    if (name === "INIT_CWD") return from
    // What the one of them runs, all of them run.
    if (name === "npm_execpath") return "/node_modules/npm/bin/npm-cli.js"
    if (name === "npm_node_execpath") return "node"
    return name.startsWith("npm_config_")
      ? configured(config, name.slice("npm_config_".length))
      : ofManifest.get(name)
  }
  return names.flatMap((name) => {
    const value = valueOf(name)
    return value === undefined ? [] : [`${name}=${quoted(value.slice(0, longestValue))}`]
  })
}
