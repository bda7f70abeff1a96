/**
 * The one copy of SQLite that a process uses, for its threads too. The system drops all of a process's locks on a file as soon as one of its descriptors is closed. SQLite
 * counts its own, and knows nothing of another copy's in the same process: with two of them, of two installed packages, the log is written without its locks.
 */
import { statSync } from "node:fs"

export interface InUse {
  /** The file of an installed package's `dist` that loaded it. */
  readonly from: string
  readonly file: string
  /** Of the library that it was compiled for. */
  readonly version: string
  /** Says whether the file is still the one that was loaded. */
  readonly identity: string
}

const key = "hooktape/sqlite"
/** What is set there is told to each thread as it starts. */
const threads = () => process.getBuiltinModule("node:worker_threads")

const identityOf = (file: string): string | undefined => {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat && `${stat.dev}-${stat.ino}-${stat.size}-${stat.mtimeMs}`
}

export const inUse = (): InUse | undefined => threads().getEnvironmentData(key) as InUse | undefined

export const nowInUse = (used: Omit<InUse, "identity">): void =>
  threads().setEnvironmentData(key, { ...used, identity: identityOf(used.file) ?? "" })

/** Why a thread cannot have it: what lies in its place by now would be a second copy. */
export const whyNot = (
  { file, from, identity, version }: InUse,
  wanted: string,
  isLoaded: boolean
): string | undefined => {
  if (version !== wanted)
    return `this process uses the SQLite of ${from}, which is for another version of the library`
  return isLoaded || identityOf(file) === identity
    ? undefined
    : `${file} was replaced while this process uses what it was`
}
