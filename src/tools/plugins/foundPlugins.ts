/** Which agents have hooktape as a plugin or an extension, and whether it is on here, by what they wrote down themselves. */
import { join } from "node:path"
import {
  codexConfigs,
  pluginFolders,
  pluginSwitches,
  type SettingsPlace,
  settingsFiles
} from "../../agents/settingsFiles.ts"
import { readRegular } from "../../state/readRegular.ts"
import { isWithin } from "../../state/within.ts"
import { type PluginAgent, pluginName } from "./pluginFiles.ts"

export interface FoundPlugin {
  readonly agent: PluginAgent
  /** Where it is said last, the nearest counts. */
  readonly file: string
  readonly isOn: boolean
}

const textOf = (file: string): string => {
  try {
    return readRegular(file).toString("utf8")
  } catch {
    return ""
  }
}

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

/** Whatever catalogue it came from; undefined where nothing is said of it. */
const saidByClaude = (text: string): boolean | undefined => {
  const { enabledPlugins } = parsed(text)
  const said = Object.entries((enabledPlugins ?? {}) as Readonly<Record<string, unknown>>).filter(
    ([name, on]) => name.startsWith(`${pluginName}@`) && typeof on === "boolean"
  )
  return said.length === 0 ? undefined : said.some(([, on]) => on === true)
}

const table = new RegExp(
  `^\\[plugins\\."${pluginName}@[^"]*"\\]\\s*\\n(?:[^[\\n]*\\n)*?\\s*enabled\\s*=\\s*(true|false)\\b`,
  "gm"
)

const saidByCodex = (text: string): boolean | undefined => {
  const said = [...text.matchAll(table)].map(([, on]) => on)
  return said.length === 0 ? undefined : said.includes("true")
}

/** Gemini CLI's rules are folders, the last that the project lies in counts; with `!` it is off there. */
const isOffByGemini = (text: string, project: string): boolean => {
  const { [pluginName]: own } = parsed(text) as Readonly<Record<string, { overrides?: unknown } | undefined>>
  const rules = Array.isArray(own?.overrides) ? own.overrides : []
  const last = rules.findLast(
    (rule) => typeof rule === "string" && isWithin(project, rule.replace(/^!/, "").replace(/\/\*?$/, ""))
  )
  return typeof last === "string" && last.startsWith("!")
}

/** Of several files the nearest to the project that says something. */
const nearest = (
  agent: PluginAgent,
  files: readonly string[],
  said: (text: string) => boolean | undefined
): readonly FoundPlugin[] => {
  const all = files.flatMap((file) => {
    const isOn = said(textOf(file))
    return isOn === undefined ? [] : [{ agent, file, isOn }]
  })
  // What only a project says of it is of no use to a user who has it not.
  return all[0]?.file === files[0] ? all.slice(-1) : []
}

const ofGemini = (place: SettingsPlace): readonly FoundPlugin[] => {
  const agent = "gemini-cli"
  const manifest = join(pluginFolders[agent](place), "gemini-extension.json")
  if (textOf(manifest) === "") return []
  const switches = pluginSwitches[agent](place)
  return isOffByGemini(textOf(switches), place.project)
    ? [{ agent, file: switches, isOn: false }]
    : [{ agent, file: manifest, isOn: true }]
}

export const foundPlugins = (place: SettingsPlace): readonly FoundPlugin[] => {
  const { local, project, user } = settingsFiles["claude-code"]
  const claude = [user, project, local].map((file) => file(place))
  const codex = [codexConfigs.user, codexConfigs.project].map((file) => file(place))
  return [
    ...nearest("claude-code", claude, saidByClaude),
    ...nearest("codex", codex, saidByCodex),
    ...ofGemini(place)
  ]
}
