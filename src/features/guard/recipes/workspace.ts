/** The packages of a workspace: those that the manifest at its root names by patterns, each with its own manifest. */
import { basename, dirname, relative, resolve } from "node:path"
import { isWithin } from "../../../state/within.ts"
import type { Looked } from "./Looked.ts"
import { type Package, packageIn } from "./packageIn.ts"
import { WorkspaceFolders } from "./workspaceFolders.ts"
import { bounded, patternsIn } from "./workspacePatterns.ts"

export interface Workspace {
  readonly root: string
  readonly packages: readonly Package[]
  /** None was left out. */
  readonly isWhole: boolean
}

const maxPackages = 1000
/** So many files are open at once. */
const atOnce = 16

const workspaceAt = (root: string, given: readonly string[], looked: Looked): Promise<Workspace> =>
  looked.once("workspace", root, async () => {
    const patterns = bounded(given)
    const folders = new WorkspaceFolders()
    for (const parts of patterns.wanted) await folders.follow(root, parts)
    const members = [...folders.found].filter(
      (folder) => folder !== root && !patterns.isLeft(relative(root, folder))
    )
    const all = [root, ...members]
    const packages: Package[] = []
    for (let at = 0; at < all.length && packages.length <= maxPackages; at += atOnce) {
      const some = await Promise.all(all.slice(at, at + atOnce).map((one) => packageIn(one, looked)))
      packages.push(...some.filter((one) => one !== undefined))
    }
    return {
      root,
      packages: packages.slice(0, maxPackages),
      isWhole: patterns.isWhole && folders.isWhole && packages.length <= maxPackages
    }
  })

/** The one that this folder lies in. `anyway`: where there is none, of all packages below. */
export const workspaceOf = async (
  folder: string,
  anyway: boolean,
  looked: Looked
): Promise<Workspace | undefined> => {
  for (let at = folder; ; at = dirname(at)) {
    const patterns = await patternsIn(at, looked)
    if (patterns !== undefined) return workspaceAt(at, patterns, looked)
    if (dirname(at) === at) break
  }
  return anyway ? workspaceAt(folder, ["**"], looked) : undefined
}

const plain = /^(?!.*\.\.\.)[@\w./-]+$/

const isNamed = (word: string, { root }: Workspace, folder: string, one: Package): boolean => {
  const name = one.manifest?.["name"] ?? basename(one.folder)
  if (typeof name === "string" && (name === word || name.replace(/^@[^/]*\//, "") === word)) return true
  return [root, folder].some((from) => isWithin(one.folder, resolve(from, word)))
}

export interface Chosen {
  readonly packages: readonly Package[]
  /** None was left out that may be meant. */
  readonly isWhole: boolean
}

/** Those that the words for them name, by name or by folder; all of them where a word says more than that. */
export const chosenOf = (workspace: Workspace, chosen: readonly string[], folder: string): Chosen => {
  if (chosen.length === 0 || !chosen.every((one) => plain.test(one))) return workspace
  const found = chosen.map((word) =>
    workspace.packages.filter((one) => isNamed(word, workspace, folder, one))
  )
  return {
    packages: [...new Set(found.flat())],
    isWhole: workspace.isWhole || found.every((packages) => packages.length > 0)
  }
}
