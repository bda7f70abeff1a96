/** Which agents have hooktape as a plugin or an extension that is on, by what they wrote down themselves. */
import { join } from "node:path"
import { codexConfigs, pluginFolders, type SettingsPlace, settingsFiles } from "../../agents/settingsFiles.ts"
import { readRegular } from "../../state/readRegular.ts"
import { type PluginAgent, pluginName } from "./pluginFiles.ts"

export interface FoundPlugin {
  readonly agent: PluginAgent
  /** Where that is said. */
  readonly file: string
}

const textOf = (file: string): string => {
  try {
    return readRegular(file).toString("utf8")
  } catch {
    return ""
  }
}

const enabledByClaude = (text: string): boolean => {
  try {
    const { enabledPlugins = {} } = JSON.parse(text) as { enabledPlugins?: Readonly<Record<string, unknown>> }
    return Object.entries(enabledPlugins).some(
      ([name, on]) => name.startsWith(`${pluginName}@`) && on === true
    )
  } catch {
    return false
  }
}

/** Whatever catalogue it came from. */
const enabledByCodex = (text: string): boolean =>
  new RegExp(
    `^\\[plugins\\."${pluginName}@[^"]*"\\]\\s*\\n(?:[^[\\n]*\\n)*?\\s*enabled\\s*=\\s*true\\b`,
    "m"
  ).test(text)

export const foundPlugins = (place: SettingsPlace): readonly FoundPlugin[] => {
  const claude = settingsFiles["claude-code"].user(place)
  const codex = codexConfigs.user(place)
  const gemini = join(pluginFolders["gemini-cli"](place), "gemini-extension.json")
  return [
    ...(enabledByClaude(textOf(claude)) ? [{ agent: "claude-code", file: claude } as const] : []),
    ...(enabledByCodex(textOf(codex)) ? [{ agent: "codex", file: codex } as const] : []),
    ...(textOf(gemini) === "" ? [] : [{ agent: "gemini-cli", file: gemini } as const])
  ]
}
