/** Finds and reads the file that a recipe stands in. */
import { realpath } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { fileText } from "../fileText.ts"
import { within } from "../folders.ts"
import { withIncluded } from "./includedText.ts"
import { readJustfile } from "./justfile.ts"
import { readMakefile } from "./makefile.ts"
import { readComposer, readDeno, readPackage } from "./manifests.ts"
import type { Recipe, RecipeKind, RecipeReader } from "./Recipe.ts"
import { readTaskfile } from "./taskfile.ts"

interface Kind {
  readonly files: readonly string[]
  /** It is looked for further up as well. */
  readonly above: boolean
  readonly read: RecipeReader
  /** A line that takes another file in. */
  readonly includes?: RegExp
}

const kinds: Readonly<Record<RecipeKind, Kind>> = {
  package: { files: ["package.json"], above: true, read: readPackage },
  deno: { files: ["deno.json", "deno.jsonc"], above: true, read: readDeno },
  composer: { files: ["composer.json"], above: false, read: readComposer },
  make: {
    files: ["GNUmakefile", "makefile", "Makefile"],
    above: false,
    read: readMakefile,
    includes: /^ *(?:-|s)?include[ \t]+([^#\n]*)/gm
  },
  just: {
    files: ["justfile", "Justfile", ".justfile"],
    above: true,
    read: readJustfile,
    includes: /^import\??[ \t]+['"]([^'"\n]*)['"]/gm
  },
  task: {
    files: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "Taskfile.dist.yml"],
    above: true,
    read: readTaskfile
  }
}

/** A file of recipes holds many, of which a command starts one: so much of it may have to be read to find that. */
const maxBytes = 1_048_576
/** Nobody starts something from deeper in a project than this; whoever looks for a package goes up to the root. */
const maxAbove = 6

export interface FoundRecipe {
  readonly file: string
  /** Where it is run. */
  readonly folder: string
  readonly text: string
  /** All that it starts is in the text. */
  readonly isWhole: boolean
}

/** What the file starts under these names; undefined where there is none. `project`: no further up, save for a package. */
export const recipeText = async (
  folder: string,
  recipe: Recipe,
  args: readonly string[],
  project: string
): Promise<FoundRecipe | undefined> => {
  const { above, files, includes, read } = kinds[recipe.kind]
  const isPackage = recipe.kind === "package"
  // Those who run scripts of a package are where a link leads, and look up from there.
  let at = isPackage ? await realpath(folder).catch(() => folder) : folder
  for (let steps = 0; isPackage || steps < maxAbove; steps++) {
    for (const name of recipe.file === undefined ? files : [recipe.file]) {
      const file = resolve(at, name)
      const found = await fileText(file, maxBytes)
      if (found === undefined) continue
      const runIn = recipe.stays === true ? folder : dirname(file)
      const whole = await withIncluded(
        found,
        recipe.kind === "make" ? folder : dirname(file),
        includes,
        maxBytes
      )
      const started = read(whole.text, recipe, args)
      if (started === undefined && whole.isWhole) return undefined
      const { isWhole = false, text = "" } = started ?? {}
      return { file, text, folder: runIn, isWhole: isWhole && whole.isWhole }
    }
    const next = dirname(at)
    const isLast = next === at || (!isPackage && !within(next, project))
    if (!above || recipe.file !== undefined || isLast) return undefined
    at = next
  }
  return undefined
}
