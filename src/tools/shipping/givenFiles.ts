/** Files that a person names for a sink, looked at when they do: what can never work is said there, not in tomorrow's `doctor`. */
import { accessSync, constants } from "node:fs"
import { dirname, normalize } from "node:path"
import { readRegular } from "../../state/readRegular.ts"
import { exposure } from "../../state/secretFile.ts"
import { statOf } from "../../state/statOf.ts"

const may = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** Of the process that opens it: what is shipped is written by a host, in the background. */
export const isStandardStream = (to: string): boolean =>
  to === "-" || /^\/(?:dev\/(?:std(?:in|out|err)|tty|fd\/.*)|proc\/self\/fd\/.*)$/.test(normalize(to))

/** Why no lines can be added to this file, which need not be there yet; undefined where they can. */
export const fileProblem = (path: string): string | undefined => {
  const there = statOf(path)
  const folder = dirname(path)
  if (there?.isDirectory()) return "is a folder"
  if (there !== undefined && !there.isFile()) return "is no regular file"
  if (there !== undefined)
    return may(path, constants.R_OK | constants.W_OK) ? undefined : "is a file that you may not write"
  if (statOf(folder)?.isDirectory() !== true) return "lies in a folder that is not there"
  return may(folder, constants.W_OK | constants.X_OK)
    ? undefined
    : "lies in a folder that you may not write in"
}

/** Why no token can be read there. */
export const tokenProblem = (path: string): string | undefined => {
  const there = statOf(path)
  if (there === undefined) return "is not there"
  if (!there.isFile()) return "is no regular file"
  try {
    const text = readRegular(path).toString("utf8").trim()
    if (text === "") return "is empty"
    return /^[\x21-\x7e]+$/.test(text) ? exposure(path) : "holds more than one token"
  } catch {
    return "cannot be read"
  }
}
