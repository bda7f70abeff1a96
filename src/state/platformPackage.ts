/** The package with what is native for this machine, which npm installs beside the main one, and what the main one knows of it. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** This machine, as packages for it are named. */
export const platform = `${process.platform}-${process.arch}`

/** The folder of a package that a file can import; undefined where it is not installed. */
export const packageFolder = (from: string, name: string): string | undefined => {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

/** `from`: a file of the main package. */
export const platformPackage = (from: string): string | undefined =>
  packageFolder(from, `@hooktape/${platform}`)

/** Of each file its length in bytes and its SHA-256. */
export type Sums = Readonly<Record<string, { readonly bytes: number; readonly sha256: string } | undefined>>

const parsed = (file: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return undefined
  }
}

/** What the platform's package of this very release holds; undefined where the main one was not released, and brings all itself. */
export const releasedSums = (from: string): Sums | undefined => {
  const all = parsed(join(dirname(from), "platforms.json"))
  return all === undefined ? undefined : ((all[platform] as Sums | undefined) ?? {})
}

/** Its name and version, where a release has one for this machine. */
export const releasedPackage = (from: string): string | undefined => {
  const named = parsed(join(dirname(from), "..", "package.json"))?.["optionalDependencies"]
  const version = (named as Readonly<Record<string, unknown>> | undefined)?.[`@hooktape/${platform}`]
  return typeof version === "string" ? `@hooktape/${platform}@${version}` : undefined
}
