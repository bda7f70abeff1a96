/** The command line of a model: which one is there, and how it is asked. */
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

export interface ModelCommand {
  readonly path: string
  readonly args: readonly string[]
}

/** The prompt comes on standard input, the answer on standard output. */
const known: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["claude", ["-p"]],
  ["codex", ["exec", "--skip-git-repo-check", "-"]],
  ["gemini", []]
]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const onPath = (name: string, path: string): string | undefined => {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, name))
    .find(isProgram)
}

/** The configured one, else the first of those known that is on the path. */
export const findModelCommand = (configured: readonly string[], path: string): ModelCommand | undefined => {
  const wanted = configured[0] === undefined ? known : [[configured[0], configured.slice(1)] as const]
  for (const [name, args] of wanted) {
    const found = onPath(name, path)
    if (found !== undefined) return { path: found, args }
  }
  return undefined
}

/** Neither may it start the monitor that asks it, nor any other hook. */
export const withoutHooks = { HOOKTAPE: "0" } as const
