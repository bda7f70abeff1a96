/** Sets of the hooks that come along, one of which a user may choose instead of what is on by itself. */
import { defaults } from "./defaults.ts"
import type { Shipped } from "./Shipped.ts"

export const presets = ["quiet", "standard", "full"] as const
export type Preset = (typeof presets)[number]

/** About how long the briefing of a session may be in the quiet set, in tokens. */
export const quietBriefTokens = 400

const isOnByItself = ({ hook }: Shipped): boolean => hook.enabled !== false

const isOn: { readonly [P in Preset]: (shipped: Shipped) => boolean } = {
  quiet: (shipped) => isOnByItself(shipped) && shipped.isNotQuiet !== true,
  standard: isOnByItself,
  full: () => true
}

/** The names of those that are on, in the order in which they run. */
export const hooksOf = (preset: Preset): readonly string[] =>
  defaults.filter(isOn[preset]).map(({ hook }) => hook.name)

export const presetMeanings: { readonly [P in Preset]: string } = {
  quiet: `guards, and records; no file is changed, the model is told proven fixes and a briefing of ${quietBriefTokens} tokens`,
  standard:
    "what is on where nobody chose: as quiet, and files are formatted once they were edited, and the model is told with each prompt what earlier sessions have on it",
  full: "all of them, those as well that are off where nobody chose; session-monitor needs HOOKTAPE_SESSION_MONITOR=true besides"
}

/** The set that an answer names, by its first letters too; nothing for any other answer: then all stays as it is. */
export const presetNamed = (answer = ""): Preset | undefined => {
  const word = answer.trim().toLowerCase()
  return word === "" ? undefined : presets.find((preset) => preset.startsWith(word))
}
