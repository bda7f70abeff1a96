/** The packages of a workspace: those that the manifest at its root names by patterns, each with its own manifest. */
import { readdir } from "node:fs/promises"
import { basename, dirname, join, relative, resolve } from "node:path"
import { globMatches } from "../../../hooks/glob.ts"
import { isWithin } from "../../../state/within.ts"
import { fileText } from "../fileText.ts"
import { isObject, type Members } from "./jsonMember.ts"
import { looseJson } from "./looseJson.ts"
import { manifestNames, readManifest } from "./packageManifest.ts"
import { listAt, yamlLines } from "./yamlLines.ts"

export interface Package {
  readonly folder: string
  readonly file: string
  /** Undefined where it cannot be read. */
  readonly manifest: Members | undefined
  readonly isWhole: boolean
}

export interface Workspace {
  readonly root: string
  readonly packages: readonly Package[]
  /** No folder was left out. */
  readonly isWhole: boolean
}

const maxManifest = 1_048_576
/** So many folders are looked through, and so many packages are read. */
const maxFolders = 4000
const maxPackages = 1000

export const packageIn = async (folder: string): Promise<Package | undefined> => {
  for (const name of manifestNames) {
    const file = join(folder, name)
    const found = await fileText(file, maxManifest)
    if (found === undefined) continue
    const { isWhole, text } = found
    return { folder, file, isWhole, manifest: isWhole ? readManifest(name, text) : undefined }
  }
  return undefined
}

export const nearestPackage = async (folder: string): Promise<Package | undefined> => {
  for (let at = folder; ; at = dirname(at)) {
    const found = await packageIn(at)
    if (found !== undefined || dirname(at) === at) return found
  }
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []

/** Undefined where this folder is no workspace's root. */
const patternsIn = async (folder: string): Promise<readonly string[] | undefined> => {
  const { manifest: { workspaces } = {} } = (await packageIn(folder)) ?? {}
  const pnpm = await fileText(join(folder, "pnpm-workspace.yaml"), maxManifest)
  const lerna = await fileText(join(folder, "lerna.json"), maxManifest)
  const ofLerna = lerna === undefined ? undefined : looseJson(lerna.text)
  const told = [
    ...texts(isObject(workspaces) ? workspaces["packages"] : workspaces),
    ...(pnpm === undefined ? [] : listAt(yamlLines(pnpm.text), "packages")),
    ...texts(isObject(ofLerna) ? ofLerna["packages"] : undefined)
  ]
  return told.length === 0 ? undefined : told
}

class Folders {
  readonly found = new Set<string>()
  #left = maxFolders

  get isWhole(): boolean {
    return this.#left >= 0
  }

  /** As the parts of a pattern say, from here. */
  async follow(folder: string, [part, ...rest]: readonly string[]): Promise<void> {
    if (part === undefined) this.found.add(folder)
    else if (part === "**") {
      await this.follow(folder, rest)
      for (const name of await this.#names(folder, false))
        await this.follow(join(folder, name), [part, ...rest])
    } else if (/[*?[{]/.test(part)) {
      for (const name of await this.#names(folder, true))
        if (globMatches(part, name)) await this.follow(join(folder, name), rest)
    } else await this.follow(join(folder, part), rest)
  }

  async #names(folder: string, withLinks: boolean): Promise<readonly string[]> {
    if (--this.#left < 0) return []
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    return entries
      .filter((one) => one.isDirectory() || (withLinks && one.isSymbolicLink()))
      .map(({ name }) => name)
      .filter((name) => name !== "node_modules" && !name.startsWith("."))
  }
}

const everywhere = ["**"]

/** A choice that spans folders is tried on all of them. */
const partsOf = (pattern: string): readonly string[] =>
  /\{[^}]*\//.test(pattern) ? everywhere : pattern.split("/").filter((part) => part !== "" && part !== ".")

const workspaceAt = async (root: string, patterns: readonly string[]): Promise<Workspace> => {
  const folders = new Folders()
  for (const pattern of patterns) if (!pattern.startsWith("!")) await folders.follow(root, partsOf(pattern))
  const left = patterns.filter((one) => one.startsWith("!")).map((one) => one.slice(1).replace(/^\.?\//, ""))
  const members = [...folders.found].filter(
    (folder) => folder !== root && !left.some((one) => globMatches(one, relative(root, folder)))
  )
  const packages: Package[] = []
  for (const folder of [root, ...members.slice(0, maxPackages)]) {
    const found = await packageIn(folder)
    if (found !== undefined) packages.push(found)
  }
  return { root, packages, isWhole: folders.isWhole && members.length <= maxPackages }
}

/** The one that this folder lies in. `anyway`: where there is none, of all packages below. */
export const workspaceOf = async (folder: string, anyway: boolean): Promise<Workspace | undefined> => {
  for (let at = folder; ; at = dirname(at)) {
    const patterns = await patternsIn(at)
    if (patterns !== undefined) return workspaceAt(at, patterns)
    if (dirname(at) === at) break
  }
  return anyway ? workspaceAt(folder, everywhere) : undefined
}

const plain = /^(?!.*\.\.\.)[@\w./-]+$/

/** Those that the words for them name, by name or by folder; all of them where a word says more than that. */
export const chosenOf = (
  { packages, root }: Workspace,
  chosen: readonly string[],
  folder: string
): readonly Package[] => {
  if (chosen.length === 0 || !chosen.every((one) => plain.test(one))) return packages
  return packages.filter((one) =>
    chosen.some((word) => {
      const name = one.manifest?.["name"] ?? basename(one.folder)
      const isNamed = typeof name === "string" && (name === word || name.replace(/^@[^/]*\//, "") === word)
      return isNamed || [root, folder].some((from) => isWithin(one.folder, resolve(from, word)))
    })
  )
}
