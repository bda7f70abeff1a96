/** Finds and reads the file that a recipe stands in. */
import { realpath } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { shellWord } from "../../../state/shellWord.ts"
import { fileText } from "../fileText.ts"
import { within } from "../folders.ts"
import type { Place } from "../rule.ts"
import { type IncludedTasks, includedTasks, taskfileNames } from "./includedTasks.ts"
import { type Including, withIncluded } from "./includedText.ts"
import { hasJustRecipe, moduleOf, readJustfile } from "./justfile.ts"
import type { Looked } from "./Looked.ts"
import { readMakefile } from "./makefile.ts"
import { readComposer, readDeno } from "./manifests.ts"
import { packageText } from "./packageText.ts"
import { longestText, type Recipe, type RecipeKind, type RecipeText } from "./Recipe.ts"
import { readTaskfile } from "./taskfile.ts"

interface Kind {
  readonly files: readonly string[]
  /** It is looked for further up as well. */
  readonly above: boolean
  readonly read: (
    text: string,
    recipe: Recipe,
    args: readonly string[],
    included: readonly IncludedTasks[]
  ) => RecipeText | undefined
  /** A line that takes another file in. */
  readonly includes?: Including
}

const kinds: Readonly<Record<Exclude<RecipeKind, "package">, Kind>> = {
  deno: { files: ["deno.json", "deno.jsonc"], above: true, read: readDeno },
  composer: { files: ["composer.json"], above: false, read: readComposer },
  make: {
    files: ["GNUmakefile", "makefile", "Makefile"],
    above: false,
    read: readMakefile,
    includes: { line: /^ *(?:-|s)?include[ \t]+([^#\n]*)/gm }
  },
  just: {
    files: ["justfile", "Justfile", ".justfile"],
    above: true,
    read: readJustfile,
    includes: { line: /^import\??[ \t]+['"]([^'"\n]*)['"]/gm, beside: true }
  },
  task: { files: taskfileNames, above: true, read: readTaskfile }
}

/** A file of recipes holds many, of which a command starts one: so much of it may have to be read to find that. */
const maxBytes = 1_048_576
/** Nobody starts something from deeper in a project than this. */
const maxAbove = 6
/** So many recipes of modules are followed from one. */
const maxModules = 20

export interface FoundRecipe {
  readonly file: string
  /** Where it is run. */
  readonly folder: string
  readonly text: string
  /** All that it starts is in the text. */
  readonly isWhole: boolean
  /** Of how many packages, where it may be several. */
  readonly packages?: number
}

/** Where the command that starts it runs, and what is set for it alone. */
export type RecipePlace = Pick<Place, "project" | "home" | "environment"> & {
  readonly set?: readonly string[]
  /** How many more recipes of modules are followed. */
  readonly modules?: { left: number }
  readonly looked: Looked
}

const unreadModule = (folder: string): FoundRecipe => ({ file: "", folder, text: "", isWhole: false })

/** A module of a justfile is a justfile, and runs where it lies. */
const moduleText = async (
  folder: string,
  { files, names }: NonNullable<ReturnType<typeof moduleOf>>,
  { file: _, stays: __, ...recipe }: Recipe,
  args: readonly string[],
  around: RecipePlace
): Promise<FoundRecipe | undefined> => {
  const { modules = { left: maxModules } } = around
  for (const one of files.map((name) => resolve(folder, name)))
    if ((await fileText(one, maxBytes)) !== undefined)
      return --modules.left < 0
        ? unreadModule(folder)
        : recipeText(folder, { ...recipe, names, file: one }, args, { ...around, modules })
  return undefined
}

/** With what it starts in modules, each in a shell of its own. */
const withModules = (own: FoundRecipe, ofModules: readonly (FoundRecipe | undefined)[]): FoundRecipe => {
  let { isWhole, text } = own
  for (const one of ofModules) {
    if (one === undefined) continue
    const inShell = one.text === "" ? "" : `(cd ${shellWord(one.folder)}\n${one.text})\n`
    const isTooLong = text.length + inShell.length > longestText
    isWhole &&= one.isWhole && !isTooLong
    if (!isTooLong) text = inShell + text
  }
  return { ...own, text, isWhole }
}

/** What the file starts under these names; undefined where there is none. No further up than the project, save for a package. */
export const recipeText = async (
  given: string,
  recipe: Recipe,
  args: readonly string[],
  around: RecipePlace
): Promise<FoundRecipe | undefined> => {
  const { kind } = recipe
  if (kind === "package") return packageText(given, recipe, args, around)
  const { above, files, includes, read } = kinds[kind]
  // Up from a link is up from where it leads.
  const folder = given.includes("/..") ? await realpath(given).catch(() => resolve(given)) : given
  let at = folder
  for (let steps = 0; steps < maxAbove; steps++) {
    for (const name of recipe.file === undefined ? files : [recipe.file]) {
      const file = resolve(at, name)
      const found = await fileText(file, maxBytes)
      if (found === undefined) continue
      const runIn = recipe.stays === true ? folder : dirname(file)
      const modules = around.modules ?? { left: maxModules }
      const ofModule = async (names: readonly string[]): Promise<FoundRecipe | undefined> => {
        const inside = moduleOf(found.text, names)
        return inside && moduleText(dirname(file), inside, recipe, args, { ...around, modules })
      }
      const inModule = kind === "just" ? await ofModule(recipe.names) : undefined
      const whole = await withIncluded(
        found,
        file,
        kind === "make" ? folder : dirname(file),
        includes,
        maxBytes
      )
      // What looks like a module stands in a text, perhaps, where the file itself has a recipe of its name.
      if (inModule !== undefined && !hasJustRecipe(whole.text, recipe.names[0] ?? "")) return inModule
      const included = kind === "task" ? await includedTasks(whole.text, file, maxBytes) : []
      const started = read(whole.text, recipe, args, included)
      if (started === undefined && kind === "just" && /^set[ \t]+fallback\b/m.test(whole.text)) break
      // What the run takes in may have it, where nothing that was read has.
      if (started === undefined && whole.isWhole && !whole.isOpen) return undefined
      const { isWhole = false, needs = [], text = "" } = started ?? {}
      const own = { file, text, folder: runIn, isWhole: isWhole && whole.isWhole }
      const needed: (FoundRecipe | undefined)[] = [inModule]
      if (needs.length > maxModules) needed.push(unreadModule(runIn))
      for (const one of needs.slice(0, maxModules))
        needed.push(moduleOf(found.text, one) === undefined ? unreadModule(runIn) : await ofModule(one))
      return withModules(own, needed)
    }
    const next = dirname(at)
    if (!above || recipe.file !== undefined || next === at || !within(next, around.project)) return undefined
    at = next
  }
  return undefined
}
