/** What files of settings, and what is set besides, say of how scripts of a package are run. */
import { dirname, join } from "node:path"
import { fileText } from "../fileText.ts"
import type { Looked } from "./Looked.ts"
import { isOn } from "./npmValues.ts"
import type { Recipe } from "./Recipe.ts"
import type { RecipePlace } from "./recipeText.ts"
import { isSystemShell, shellIn, shellSettings } from "./scriptShell.ts"
import { configured, configuredAll } from "./scriptVariables.ts"

/** A file of settings is no longer than this. */
const maxSettings = 65_536

export interface Settings {
  /** Undefined where it is the system's. */
  readonly shell: string | undefined
  /** Of `.npmrc`, and of what the package manager is told, `key=value`; the last one counts. */
  readonly config: readonly string[]
}

interface Files {
  /** The nearest first. */
  readonly shells: readonly string[]
  /** The nearest last. */
  readonly config: readonly string[]
}

const filesIn = (folder: string, looked: Looked): Promise<Files> =>
  looked.once("settings", folder, async () => {
    const shells: string[] = []
    const config: string[] = []
    for (const name of shellSettings) {
      const found = await fileText(join(folder, name), maxSettings)
      if (found === undefined) continue
      shells.push(...[shellIn(name, found.text)].filter((one) => one !== undefined))
      if (name === ".npmrc") config.push(...found.text.split(/\r?\n/))
    }
    return { shells, config }
  })

const both = (near: Files, far: Files): Files => ({
  shells: [...near.shells, ...far.shells],
  config: [...far.config, ...near.config]
})

/** Of this folder and of those above it. */
const filesFrom = (folder: string, looked: Looked): Promise<Files> =>
  looked.once("settings from", folder, async () => {
    const own = await filesIn(folder, looked)
    return dirname(folder) === folder ? own : both(own, await filesFrom(dirname(folder), looked))
  })

/** The nearest that says something says it. */
export const settingsFor = async (
  folder: string,
  { config = [] }: Recipe,
  { environment = {}, home, looked, project, set = [] }: RecipePlace
): Promise<Settings> => {
  const told = [
    ...config,
    ...set,
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  ].flatMap((one) => /^(?:npm_config_)?script[-_]shell=(.*)$/is.exec(one)?.[1] ?? [])
  const files = both(await filesFrom(folder, looked), await filesIn(home, looked))
  const [shell] = [...told, ...files.shells]
  return {
    shell: shell === undefined || isSystemShell(shell, project) ? undefined : shell,
    config: [...files.config, ...config]
  }
}

/** Which packages settings of npm name besides the own one. */
export const addedBy = (config: readonly string[]): Pick<Recipe, "reach" | "chosen"> => {
  const chosen = configuredAll(config, "workspace").filter(isOn)
  if (isOn(configured(config, "workspaces"))) return { reach: "all" }
  if (chosen.length === 0) return {}
  return isOn(configured(config, "include_workspace_root")) ? { reach: "all" } : { reach: "all", chosen }
}
