/** The package with what is native for this machine, which npm installs beside the main one. */
import { createRequire } from "node:module"
import { dirname } from "node:path"

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
