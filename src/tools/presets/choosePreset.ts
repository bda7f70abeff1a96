/** Writes a chosen set of shipped hooks into the user's own settings: by name, so that a later version adds none to it. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { applyEdits, type JSONPath, modify } from "jsonc-parser"
import { hooksOf, type Preset, quietBriefTokens } from "../../features/presets.ts"
import type { Problem } from "../../hooks/Problem.ts"
import { parseConfig } from "../../state/config.ts"
import type { Config } from "../../state/configShape.ts"
import { writeWhole } from "../../state/files.ts"
import { messageOf } from "../../state/messageOf.ts"
import { readRegular } from "../../state/readRegular.ts"
import { realPlace } from "../../state/userFolder.ts"

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" }

const set = (text: string, path: JSONPath, value: unknown): string =>
  applyEdits(text, modify(text, path, value, { formattingOptions }))

const briefTokens = ["hooks", "session-brief", "settings", "tokens"]

const tokensIn = (config: Config): unknown => config.hooks?.["session-brief"]?.settings?.["tokens"]

/** The text of the settings with the set in it. What the user says of a single hook stays, and counts. */
export const withPreset = (text: string, config: Config, preset: Preset): string => {
  const chosen = set(text, ["shipped"], hooksOf(preset))
  const tokens = tokensIn(config)
  if (preset === "quiet") return tokens === undefined ? set(chosen, briefTokens, quietBriefTokens) : chosen
  // What came with the quiet set goes with it; any other number is the user's.
  return tokens === quietBriefTokens ? set(chosen, briefTokens, undefined) : chosen
}

const textOf = (file: string): string | undefined => {
  try {
    return readRegular(file).toString()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

export interface Chosen {
  readonly file: string
  /** Names of hooks that the user's settings switch on or off by themselves, whatever the set says. */
  readonly apart: readonly string[]
}

/** Fails with what is wrong in the settings as they are: a file that cannot be read is not written over. */
export const choosePreset = (
  userFolder: string,
  preset: Preset
): Effect.Effect<Chosen, { readonly problems: readonly Problem[] }> => {
  // Through a link: settings that are kept elsewhere stay there.
  const file = realPlace(join(userFolder, "config.json"))
  return Effect.try({
    try: () => textOf(file) ?? "{}\n",
    catch: (cause) => ({ problems: [{ file, reason: `cannot be read: ${messageOf(cause)}` }] })
  }).pipe(
    Effect.flatMap((text) =>
      Either.match(parseConfig(file, text), {
        onLeft: (problems) => Effect.fail({ problems }),
        onRight: (config) =>
          Effect.try({
            try: (): Chosen => {
              writeWhole(file, withPreset(text, config, preset), 0o644, 0o755)
              const shipped = hooksOf("full")
              const apart = Object.entries(config.hooks ?? {}).flatMap(([name, { enabled }]) =>
                enabled !== undefined && shipped.includes(name) ? [name] : []
              )
              return { file, apart }
            },
            catch: (cause) => ({ problems: [{ file, reason: `cannot be written: ${messageOf(cause)}` }] })
          })
      })
    )
  )
}
