/** Whether there is a directory to work in: what an agent says of it is input like any other. */
import { statSync } from "node:fs"
import { isAbsolute } from "node:path"
import type { Decoded } from "../agents/Adapter.ts"
import type { Registered } from "../hooks/Registered.ts"

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    // A name that is too long, or one of its parts is a file.
    return false
  }
}

/** What is wrong with the one that a payload names; undefined where that is well, or it names none. */
export const directoryProblem = ({ cwd, drift }: Pick<Decoded, "cwd" | "drift">): string | undefined => {
  if (cwd === null) return drift.includes("cwd") ? "the payload's working directory is no text" : undefined
  return isAbsolute(cwd) && isDirectory(cwd) ? undefined : "the payload's working directory does not exist"
}

/** Of the process itself, where somebody removed it. */
export const goneDirectory = "the working directory does not exist"

/** For the operator. */
export const warningsOn = (problem: string | undefined): readonly string[] =>
  problem === undefined ? [] : [`${problem}; hooks that need it are left out`]

/** Those that cannot work without one are left out; one that stands guard speaks by its policy. */
export const withoutDirectory = (registry: readonly Registered[], problem: string): readonly Registered[] =>
  registry.map((one) => (one.hook.needsDirectory === true ? { lacking: problem, ...one } : one))
