/** Finds and reads the file that a recipe stands in. */
import { dirname, resolve } from "node:path"
import { fileText } from "../fileText.ts"
import { within } from "../folders.ts"
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
}

const kinds: Readonly<Record<RecipeKind, Kind>> = {
  package: { files: ["package.json"], above: true, read: readPackage },
  deno: { files: ["deno.json", "deno.jsonc"], above: true, read: readDeno },
  composer: { files: ["composer.json"], above: false, read: readComposer },
  make: { files: ["GNUmakefile", "makefile", "Makefile"], above: false, read: readMakefile },
  just: { files: ["justfile", "Justfile", ".justfile"], above: true, read: readJustfile },
  task: {
    files: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "Taskfile.dist.yml"],
    above: true,
    read: readTaskfile
  }
}

/** A file of recipes holds many, of which a command starts one: so much of it may have to be read to find that. */
const maxBytes = 65_536
/** Nobody starts something from deeper in a project than this. */
const maxAbove = 6

export interface FoundRecipe {
  readonly file: string
  /** Where it is run. */
  readonly folder: string
  readonly text: string
}

/** What the file starts under these names; undefined where there is none, or it is too long to be read. `project`: no further up. */
export const recipeText = async (
  folder: string,
  recipe: Recipe,
  args: readonly string[],
  project: string
): Promise<FoundRecipe | undefined> => {
  const { above, files, read } = kinds[recipe.kind]
  let at = folder
  for (let steps = 0; steps < maxAbove; steps++) {
    for (const name of recipe.file === undefined ? files : [recipe.file]) {
      const file = resolve(at, name)
      const found = await fileText(file, maxBytes)
      if (found === undefined) continue
      const text = found.isWhole ? read(found.text, recipe, args) : undefined
      return text === undefined
        ? undefined
        : { file, text, folder: recipe.stays === true ? folder : dirname(file) }
    }
    const next = dirname(at)
    if (!above || recipe.file !== undefined || !within(next, project)) return undefined
    at = next
  }
  return undefined
}
