/** Finds what a project formats its own files with: from the file's folder upwards, never beyond the project. */
import { dirname } from "node:path"
import type { Services } from "../../hooks/Services.ts"
import { chosenBy, editionIn, type Tool, toolCommand } from "./formatters.ts"

export const foldersUp = (file: string, project: string): readonly string[] => {
  const folders: string[] = []
  for (let at = dirname(file); ; at = dirname(at)) {
    folders.push(at)
    if (at === project || at === dirname(at)) return folders
  }
}

/** The nearest folder that says so decides; the tool may lie further up, as in a workspace. */
export const findTool = async (
  { files }: Services,
  file: string,
  project: string
): Promise<Tool | undefined> => {
  const folders = foldersUp(file, project)
  for (const [at, folder] of folders.entries()) {
    const names = ((await files.list(folder)) ?? []).map(({ name }) => name)
    const manifest = names.includes("package.json")
      ? (await files.read(`${folder}/package.json`))?.text
      : undefined
    const chosen = chosenBy(names, manifest)
    for (const name of ["biome", "prettier"] as const) {
      if (!chosen[name]) continue
      for (const above of folders.slice(at)) {
        const command = toolCommand(name, above)
        if ((await files.exists(command[0])) === "file") return { name, folder: above, command }
      }
    }
  }
  return undefined
}

export const editionOf = async (
  { files }: Services,
  file: string,
  project: string
): Promise<string | undefined> => {
  for (const folder of foldersUp(file, project)) {
    const manifest = await files.read(`${folder}/Cargo.toml`)
    const edition = manifest && editionIn(manifest.text)
    if (edition !== undefined) return edition
  }
  return undefined
}
