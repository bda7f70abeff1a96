/** Finds a program by its name, as a shell would, but never by way of the working directory. */
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

const endings = process.platform === "win32" ? ["", ".exe"] : [""]

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Every program of that name, in the order in which a shell would look. Relative folders of the path are passed over. */
export const programsOnPath = (name: string, path: string | readonly string[]): readonly string[] => {
  if (isAbsolute(name)) return isProgram(name) ? [name] : []
  if (/[\\/]/.test(name)) return []
  return (typeof path === "string" ? path.split(delimiter) : path)
    .filter(isAbsolute)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .filter(isProgram)
}
