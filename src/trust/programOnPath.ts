/** Finds a program by its name, as a shell would, but never by way of the working directory. */
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

/**
 * The files that a name may mean. On Windows those that the system starts by itself: a script for cmd.exe needs a shell, which would
 * read the arguments as well, and what npm puts there without an ending is for another shell (docs/decisions/0125).
 */
export const programNames = (
  name: string,
  platform: NodeJS.Platform = process.platform
): readonly string[] =>
  platform !== "win32" || /\.(?:exe|com)$/i.test(name) ? [name] : [`${name}.exe`, `${name}.com`]

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Every program of that name, in the order in which a shell would look. Relative folders of the path are passed over. */
export const programsOnPath = (
  name: string,
  path: string | readonly string[],
  platform: NodeJS.Platform = process.platform
): readonly string[] => {
  if (isAbsolute(name)) return isProgram(name) ? [name] : []
  if (/[\\/]/.test(name)) return []
  return (typeof path === "string" ? path.split(delimiter) : path)
    .filter(isAbsolute)
    .flatMap((folder) => programNames(name, platform).map((file) => join(folder, file)))
    .filter(isProgram)
}

/**
 * What to start for a program's name or path. Windows looks for a name in the working directory first, which may be a repository: there
 * it is looked for here. Undefined where no program has it.
 */
export const programFor = (
  program: string,
  environment: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform
): string | undefined => {
  if (platform !== "win32") return program
  if (/\.(?:cmd|bat)$/i.test(program)) return undefined
  if (/[\\/]/.test(program)) return program
  const [, path = ""] = Object.entries(environment).find(([name]) => name.toUpperCase() === "PATH") ?? []
  return programsOnPath(program, path, platform)[0]
}
