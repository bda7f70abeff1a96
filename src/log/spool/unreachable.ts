/**
 * Counts, across processes, the hook calls that nobody could handle. The client and the launcher write and read the same file;
 * what they agree on is in docs/decisions/0006. Light: the entrypoint asks on every call.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { spoolDirectory } from "./spoolWriter.ts"

const fileOf = (state: string): string => join(state, "run", "unreachable")

/** Each call is one record, so that the size of the file is their count. */
const recordBytes = 64

const usualThreshold = 3

/** One to nine digits that make more than nothing; anything else is the default. */
export const failLoudThreshold = (env: NodeJS.ProcessEnv): number => {
  const text = env["HOOKTAPE_FAIL_LOUD_THRESHOLD"] ?? ""
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : usualThreshold
}

/** Why a call was handled nowhere. */
export type Why = "no-host" | "no-entrypoint" | "lost-entrypoint" | "no-runtime" | "no-record"

export interface Unreachable {
  /** Who counted it; with the time, when that is not in it. */
  readonly who: string
  readonly threshold: number
  readonly why: string
  /** The record itself. */
  readonly line: string
}

/** Only a directory of ours that nobody else writes to is believed. */
const isPrivate = (directory: string): boolean => {
  const stat = lstatSync(directory)
  // Windows has no such mode and no such owner.
  return (
    stat.isDirectory() && (!process.getuid || ((stat.mode & 0o022) === 0 && stat.uid === process.getuid()))
  )
}

/** Counts one more; how many there are now in a row, or undefined where not even that can be written down. */
export const countUnreachable = (
  state: string,
  who: string,
  why: Why,
  threshold: number
): number | undefined => {
  try {
    if (!isPrivate(join(state, "run"))) return undefined
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
    const file = openSync(fileOf(state), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    try {
      const record = `${`${who} ${threshold} ${why}`.padEnd(recordBytes - 1).slice(0, recordBytes - 1)}\n`
      if (!fstatSync(file).isFile() || writeSync(file, record) !== recordBytes) return undefined
      return Math.floor(fstatSync(file).size / recordBytes)
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** A call was handled, and recorded: the count ends, and goes where it is taken into the log. */
export const endUnreachable = (state: string, who: string): void => {
  if (statSync(fileOf(state), { throwIfNoEntry: false }) === undefined) return
  try {
    renameSync(fileOf(state), join(spoolDirectory(state), `${who}.unreachable`))
  } catch {
    try {
      unlinkSync(fileOf(state))
    } catch {
      // Another call ended it.
    }
  }
}

/** The calls that were counted in a file, oldest first. A torn record was not counted. */
export const readUnreachable = (path: string): readonly Unreachable[] => {
  try {
    if (!lstatSync(path).isFile()) return []
    return readFileSync(path, "latin1")
      .split("\n")
      .flatMap((line) => {
        const [, who = "", threshold, why = ""] = /^([\w.-]+) (\d{1,9}) ([\w-]+) *$/.exec(line) ?? []
        return line.length === recordBytes - 1 && who !== ""
          ? [{ who, threshold: Number(threshold), why, line }]
          : []
      })
  } catch {
    return []
  }
}

/** Those of the count that goes on. */
export const currentUnreachable = (state: string): readonly Unreachable[] => readUnreachable(fileOf(state))

export const unreachableMessage = (count: string): string =>
  `hooktape: worker unreachable for ${count} consecutive hooks. Run "hooktape doctor".\n`
