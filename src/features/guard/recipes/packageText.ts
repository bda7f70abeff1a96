/** What scripts of packages start: of the nearest one, or of those of its workspace that a command chooses. */
import { realpath } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { globMatches } from "../../../hooks/glob.ts"
import { quoted, shellWord, shellWords } from "../../../state/shellWord.ts"
import { fileText } from "../fileText.ts"
import type { Members } from "./jsonMember.ts"
import { memberOf } from "./packageManifest.ts"
import { Lines, type Recipe } from "./Recipe.ts"
import type { FoundRecipe, RecipePlace } from "./recipeText.ts"
import { isSystemShell, shellIn, shellSettings } from "./scriptShell.ts"
import { configured, variablesOf } from "./scriptVariables.ts"
import { chosenOf, nearestPackage, type Package, type Workspace, workspaceOf } from "./workspace.ts"

/** A setting is no longer than this. */
const maxSettings = 65_536

const scriptIn = (scripts: Members, name: string): string | undefined => {
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  return typeof script === "string" ? script : undefined
}

/** `build:*` is every one that fits, and so may be what stands between slashes. */
const meantBy = (name: string, scripts: Members): readonly string[] => {
  if (Object.hasOwn(scripts, name)) return [name]
  const asPath = (text: string) => text.replaceAll(":", "/")
  if (/^\/.+\/$/.test(name)) return Object.keys(scripts)
  return name.includes("*")
    ? Object.keys(scripts).filter((one) => globMatches(asPath(name), asPath(one)))
    : [name]
}

/** Before and behind a script those of its name run, and behind the last word of the script itself what it is given. */
const scriptsOf = (scripts: Members, { alone, names }: Recipe, args: readonly string[]): readonly string[] =>
  names
    .flatMap((name) => meantBy(name, scripts))
    .flatMap((name) =>
      (alone ? [name] : [`pre${name}`, name, `post${name}`]).flatMap((one) => {
        const script = scriptIn(scripts, one)
        if (script === undefined) return []
        return [one === name && args.length > 0 ? `${script} ${shellWords(args)}` : script]
      })
    )

interface Settings {
  /** Undefined where it is the system's. */
  readonly shell: string | undefined
  /** Of `.npmrc` and its like, `key=value`. */
  readonly config: readonly string[]
}

/** The nearest that says something says it. */
const settingsFor = async (
  folder: string,
  { config = [] }: Recipe,
  { environment = {}, home, project, set = [] }: RecipePlace
): Promise<Settings> => {
  const lines: string[] = []
  const shells = [
    ...config,
    ...set,
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  ].flatMap((one) => /^(?:npm_config_)?script[-_]shell=(.*)$/is.exec(one)?.[1] ?? [])
  const read = async (at: string): Promise<void> => {
    for (const name of shellSettings) {
      const found = await fileText(join(at, name), maxSettings)
      if (found === undefined) continue
      shells.push(...[shellIn(name, found.text)].filter((one) => one !== undefined))
      if (name === ".npmrc") lines.push(...found.text.split(/\r?\n/))
    }
  }
  for (let at = folder; ; at = dirname(at)) {
    await read(at)
    if (dirname(at) === at) break
  }
  await read(home)
  const [shell] = shells
  return {
    shell: shell === undefined || isSystemShell(shell, project) ? undefined : shell,
    config: [...lines.reverse(), ...config]
  }
}

const linesOf = (
  { file, manifest = {} }: Package,
  recipe: Recipe,
  args: readonly string[],
  { config, shell }: Settings,
  from: string
): readonly string[] => {
  const scripts = scriptsOf(memberOf(manifest, "scripts"), recipe, args)
  const variables = variablesOf(scripts, { manifest, config, from, file })
  return scripts.map((script) =>
    [...variables, shell === undefined ? script : `${shellWord(shell)} -c ${quoted(script)}`].join("\n")
  )
}

const ofOne = async (
  found: Package,
  recipe: Recipe,
  args: readonly string[],
  around: RecipePlace,
  from: string
): Promise<FoundRecipe | undefined> => {
  const { file, folder } = found
  const settings = await settingsFor(folder, recipe, around)
  const lines = new Lines()
  for (const line of linesOf(found, recipe, args, settings, from)) lines.add(line)
  if (!found.isWhole) lines.leaveOut()
  const { isWhole = false, text = "" } = lines.read ?? {}
  if (lines.read === undefined) return undefined
  return { file, folder, text, isWhole: isWhole && settings.shell === undefined }
}

const ofWorkspace = async (
  workspace: Workspace,
  recipe: Recipe,
  args: readonly string[],
  around: RecipePlace,
  from: string
): Promise<FoundRecipe | undefined> => {
  const { root } = workspace
  const chosen = chosenOf(workspace, recipe.chosen ?? [], from).filter(
    ({ folder }) => recipe.reach !== "members" || folder !== root
  )
  const settings = await settingsFor(root, recipe, around)
  const lines = new Lines()
  for (const one of chosen) {
    const there = relative(root, one.folder)
    for (const line of linesOf(one, recipe, args, settings, from))
      lines.add(there === "" ? line : `cd ${shellWord(there)}\n${line}`)
    if (!one.isWhole) lines.leaveOut()
  }
  if (!workspace.isWhole) lines.leaveOut()
  const { isWhole = false, text = "" } = lines.read ?? {}
  if (lines.read === undefined) return undefined
  return {
    file: chosen.length === 1 ? (chosen[0] as Package).file : `packages of ${root}`,
    folder: root,
    text,
    isWhole: isWhole && settings.shell === undefined,
    packages: chosen.length
  }
}

/** Which packages the files of settings name. */
const reachIn = async (
  folder: string,
  recipe: Recipe,
  around: RecipePlace
): Promise<Pick<Recipe, "reach" | "chosen"> | undefined> => {
  const { config } = await settingsFor(folder, recipe, around)
  const one = configured(config, "workspace")
  if (one !== undefined) return { reach: "members", chosen: [one] }
  return configured(config, "workspaces") === "true" ? { reach: "members" } : undefined
}

/** Undefined where no package has a script of these names. */
export const packageText = async (
  given: string,
  recipe: Recipe,
  args: readonly string[],
  around: RecipePlace
): Promise<FoundRecipe | undefined> => {
  // Those who run scripts of a package are where a link leads, and look up from there.
  const folder = await realpath(given).catch(() => resolve(given))
  const elsewhere = recipe.reach === undefined ? await reachIn(folder, recipe, around) : undefined
  if (elsewhere !== undefined) return packageText(folder, { ...recipe, ...elsewhere }, args, around)
  const { names, reach } = recipe
  const isShared = reach === undefined && names.some((name) => name.includes(":"))
  const own = reach === undefined || reach === "declared" ? await nearestPackage(folder) : undefined
  if (own !== undefined) {
    const found = await ofOne(own, recipe, args, around, folder)
    if (found !== undefined && reach === undefined) return found
    if (reach === undefined && !isShared) return undefined
  }
  // What is no script of the package may be another's, where its name says that it is for all of them.
  if (reach === undefined && !isShared) return undefined
  const workspace = await workspaceOf(folder, reach === "all" || reach === "members")
  if (workspace !== undefined) {
    const root = reach === "root" ? { ...workspace, packages: workspace.packages.slice(0, 1) } : workspace
    return ofWorkspace(root, recipe, args, around, folder)
  }
  return own === undefined || reach === undefined ? undefined : ofOne(own, recipe, args, around, folder)
}
