/** What a package loads of others, found as Node finds it: a repository's own package can stand in for any of them. */
import { lstatSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { readRegular } from "../state/readRegular.ts"

type Values = { readonly [key: string]: unknown }

export const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A package by its name alone: a path, a subpath, an address or an import of the package itself is none. */
const packageName = /^(@[\w-][\w.-]*\/)?[\w-][\w.-]*$/
const maxPackages = 500

/** The folder itself first. */
export const foldersAbove = (folder: string): readonly string[] => {
  const folders = [folder]
  for (let at = folder; at !== dirname(at); at = dirname(at)) folders.push(dirname(at))
  return folders
}

export const manifestOf = (folder: string): Values => {
  try {
    const manifest: unknown = JSON.parse(readRegular(join(folder, "package.json")).toString("utf8"))
    return isValues(manifest) ? manifest : {}
  } catch {
    return {}
  }
}

export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** The nearest of that name above a folder; undefined where the name leads to the repository itself, or nowhere. */
export const packageAbove = (name: string, folder: string): string | undefined => {
  if (!packageName.test(name)) return undefined
  const folders = foldersAbove(folder)
  // A package finds itself by its own name, before any that is installed.
  if (folders.some((above) => manifestOf(above)["name"] === name)) return undefined
  return folders.map((above) => join(above, "node_modules", name)).find(isThere)
}

const realOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const dependenciesOf = (folder: string): readonly string[] => {
  const manifest = manifestOf(folder)
  const kinds = ["dependencies", "optionalDependencies", "peerDependencies"]
  return kinds.flatMap((kind) => {
    const names = manifest[kind]
    return isValues(names) ? Object.keys(names) : []
  })
}

/** These packages and all that they say they need, as far as it is installed. */
export const withDependencies = (packages: readonly string[]): readonly string[] => {
  const found = new Set(packages)
  for (const place of found) {
    if (found.size > maxPackages) throw new Error(`${packages[0]} needs more than ${maxPackages} packages`)
    const real = realOf(place)
    for (const name of dependenciesOf(real)) {
      const needed = packageAbove(name, dirname(real))
      if (needed !== undefined) found.add(needed)
    }
  }
  return [...found]
}
