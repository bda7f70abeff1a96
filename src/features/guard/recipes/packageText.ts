/** What scripts of packages start: of the nearest one, or of those of its workspace that a command chooses. */
import { realpath } from "node:fs/promises"
import { relative, resolve } from "node:path"
import { globMatches } from "../../../hooks/glob.ts"
import { quoted, shellWord, shellWords } from "../../../state/shellWord.ts"
import type { Members } from "./jsonMember.ts"
import type { Looked } from "./Looked.ts"
import { nearestManifest } from "./nearestManifest.ts"
import { type Package, packageIn } from "./packageIn.ts"
import { memberOf } from "./packageManifest.ts"
import { addedBy, type Settings, settingsFor } from "./packageSettings.ts"
import { Lines, longestText, type Recipe } from "./Recipe.ts"
import type { FoundRecipe, RecipePlace } from "./recipeText.ts"
import { variablesOf } from "./scriptVariables.ts"
import { chosenOf, workspaceOf } from "./workspace.ts"
import { isBounded } from "./workspacePatterns.ts"

/** Of several packages so many times as much is read as of one. */
const mostTexts = 8

const scriptIn = (scripts: Members, name: string): string | undefined => {
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  return typeof script === "string" ? script : undefined
}

/** `build:*` is every one that fits, and so may be what stands between slashes. */
const meantBy = (name: string, scripts: Members): readonly string[] => {
  if (Object.hasOwn(scripts, name)) return [name]
  const asPath = (text: string) => text.replaceAll(":", "/")
  if (/^\/.+\/$/.test(name) || !isBounded(name)) return Object.keys(scripts)
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

/** The packages that one command starts scripts of. */
interface Started {
  /** Where they are run from. */
  readonly root: string
  readonly packages: readonly Package[]
  /** None was left out that may be meant. */
  readonly isWhole: boolean
}

const textOf = async (
  { isWhole: isAll, packages, root }: Started,
  recipe: Recipe,
  args: readonly string[],
  around: RecipePlace,
  from: string
): Promise<FoundRecipe | undefined> => {
  const [first] = packages
  const settings = await settingsFor(first?.folder ?? root, recipe, around)
  const lines = new Lines(longestText * Math.min(packages.length, mostTexts))
  for (const one of packages) {
    const there = relative(root, one.folder)
    for (const line of linesOf(one, recipe, args, settings, from))
      lines.add(there === "" ? line : `cd ${shellWord(there)}\n${line}`)
    if (!one.isWhole) lines.leaveOut()
  }
  if (!isAll) lines.leaveOut()
  const { isWhole, text } = lines.read ?? { isWhole: false, text: undefined }
  if (first === undefined || text === undefined) return undefined
  return {
    file: packages.length === 1 ? first.file : `packages of ${root}`,
    folder: root,
    text,
    isWhole: isWhole && settings.shell === undefined,
    packages: packages.length
  }
}

const onlyThis = (own: Package): Started => ({ root: own.folder, packages: [own], isWhole: true })

/** With its workspace's, as far as those are chosen. */
const withOthers = async (
  own: Package | undefined,
  { chosen = [], reach }: Recipe,
  anyway: boolean,
  folder: string,
  looked: Looked
): Promise<Started | undefined> => {
  const workspace = await workspaceOf(folder, anyway, looked)
  if (workspace === undefined) return own && onlyThis(own)
  const { root } = workspace
  const { isWhole, packages } =
    reach === "root"
      ? { packages: workspace.packages.filter((one) => one.folder === root), isWhole: true }
      : chosenOf(workspace, chosen, folder)
  const others = packages.filter((one) => one.folder !== own?.folder)
  return { root, packages: [...(own === undefined ? [] : [own]), ...others], isWhole }
}

/** Undefined where no package has a script of these names. */
export const packageText = async (
  given: string,
  told: Recipe,
  args: readonly string[],
  around: RecipePlace
): Promise<FoundRecipe | undefined> => {
  const { looked } = around
  // Those who run scripts of a package are where a link leads, and look up from there.
  const folder = await realpath(given).catch(() => resolve(given))
  const isTold = told.reach !== undefined
  const added = isTold || told.npm !== true ? {} : addedBy((await settingsFor(folder, told, around)).config)
  const recipe = { ...told, ...added }
  const nearest = nearestManifest(folder, (stat) => stat.isFile())
  const own = nearest && (await packageIn(nearest.folder, looked))
  if (recipe.reach === undefined) {
    const found = own && (await textOf(onlyThis(own), recipe, args, around, folder))
    // What is no script of the package may be another's, where its name says that it is for all of them.
    if (found !== undefined || !recipe.names.some((name) => name.includes(":"))) return found
  }
  const started = await withOthers(own, recipe, isTold && recipe.reach === "all", folder, looked)
  return started && textOf(started, recipe, args, around, folder)
}
