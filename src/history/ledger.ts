/**
 * When a limited hook ran, one small file for each hook and session or project: what several processes agree by at the same moment.
 * The log is the truth: a file that is not there, or is damaged, is made from it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import type { LimitScope } from "../hooks/hookOptions.ts"
import { fileKey } from "../state/fileKey.ts"
import { newFile, privateDirectory } from "../state/state.ts"

/** What a file is about. */
export interface Account {
  readonly hook: string
  readonly scope: LimitScope
  /** The session or the project. */
  readonly of: string
}

/** Runs that count against a limit. */
export interface RunsSoFar {
  /** When it ran, milliseconds since 1970, oldest first. */
  readonly runs: readonly number[]
  /** Whether one of them is this one: a call that its host did not live to answer is planned again. */
  readonly isThere: boolean
}

export interface Run {
  readonly at: number
  readonly who: string
}

/** A run that is entered, as long as nobody stood before it who used up the limit. */
export interface Entry {
  /** The runs that count before it. */
  readonly before: readonly Run[]
  /** It is not to run after all. */
  readonly strike: () => void
}

const size = 64
const struck = "x"

export const ledgerFolder = (state: string): string => join(state, "limits")

const fileOf = (state: string, { hook, of, scope }: Account): string =>
  join(ledgerFolder(state), `${scope}-${fileKey(JSON.stringify([hook, of]))}`)

/** Of one size, so that the last ones are found without those before them. */
const record = (at: number, who: string): string =>
  `${` ${String(at).padStart(15)} ${who}`.slice(0, size - 1).padEnd(size - 1)}\n`

/** A pipe in a file's place would have us wait for whoever writes to it. */
const openFile = (path: string, flags: number): number => {
  const fd = openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  throw new Error(`${path} is not a file: move it away`)
}

const opened = (path: string, flags: number): number | undefined => {
  try {
    return openFile(path, flags)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

/** Every file begins with it. It counts for nobody, and tells a file that lost all it held from one that never held anything. */
const head = `${struck}${record(0, "runs").slice(1)}`
const whole = /^[ x] {0,14}-?\d+ [^\n]{46}\n$/

interface Line {
  readonly text: string
  /** Where in the file it begins. */
  readonly at: number
}

/** The newest records, oldest first. */
const tail = (fd: number, most: number): readonly Line[] => {
  const whole = Math.floor(fstatSync(fd).size / size)
  const first = Math.max(0, whole - most)
  const bytes = Buffer.alloc((whole - first) * size)
  let read = 0
  while (read < bytes.length) {
    const more = readSync(fd, bytes, read, bytes.length - read, first * size + read)
    if (more === 0) break
    read += more
  }
  const text = bytes.toString("latin1", 0, read)
  return Array.from({ length: Math.floor(read / size) }, (_, nth) => ({
    text: text.slice(nth * size, (nth + 1) * size),
    at: (first + nth) * size
  }))
}

const counts = ({ text }: Line): boolean => !text.startsWith(struck)
const whoOf = ({ text }: Line): string => text.slice(17).trimEnd()
const timeOf = ({ text }: Line): number => Number(text.slice(1, 16))

/** Somebody's who was interrupted, or whose disk was full, or nobody's at all. */
const isDamaged = (fd: number, lines: readonly Line[]): boolean => {
  const bytes = Buffer.alloc(size)
  readSync(fd, bytes, 0, size, 0)
  // Records are written whole, and lie within a page each.
  const torn = fstatSync(fd).size % size !== 0
  return torn || bytes.toString("latin1") !== head || lines.some(({ text }) => !whole.test(text))
}

/** As long as it is still that file: somebody else may have made it anew. */
const removeDamaged = (path: string, fd: number): void => {
  if (statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino) rmSync(path, { force: true })
}

/** Whoever is first makes it; what it holds is the same for all. */
const create = (path: string, runs: readonly number[], who: string): void => {
  const aside = `${path}.${process.pid}.${who.slice(-12)}`
  const fd = openSync(aside, newFile, 0o600)
  try {
    writeSync(fd, head + runs.map((at) => record(at, "log")).join(""))
    linkSync(aside, path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  } finally {
    closeSync(fd)
    unlinkSync(aside)
  }
}

/** More than count: of those that several processes enter at the same moment some are struck again. */
const beside = 32

/** Of sessions that nobody comes back to; of those that somebody does the log tells again. */
export const forgetSessions = (state: string, before: number): void => {
  const folder = ledgerFolder(state)
  let names: readonly string[] = []
  try {
    names = readdirSync(folder)
  } catch {
    return
  }
  for (const name of names) {
    const file = join(folder, name)
    const stat = name.startsWith("session-") ? statSync(file, { throwIfNoEntry: false }) : undefined
    if (stat !== undefined && stat.mtimeMs < before) rmSync(file, { force: true })
  }
}

export const makeLedger = (state: string) => {
  /** `recall`: what the log says of it, asked where there is no file. */
  const runs = (account: Account, most: number, who: string, recall: () => readonly number[]): RunsSoFar => {
    const path = fileOf(state, account)
    for (let tries = 0; tries < 4; tries++) {
      const fd = opened(path, constants.O_RDONLY)
      if (fd === undefined) {
        privateDirectory(ledgerFolder(state))
        create(path, recall(), who)
        continue
      }
      try {
        const lines = tail(fd, most + beside)
        if (!isDamaged(fd, lines)) {
          const counting = lines.filter(counts)
          return { runs: counting.map(timeOf), isThere: counting.some((line) => whoOf(line) === who) }
        }
        removeDamaged(path, fd)
      } finally {
        closeSync(fd)
      }
    }
    throw new Error(`${path} is gone again`)
  }

  /** Enters a run. Appending is one step for the whole machine: of several processes each sees who was before it. */
  const enter = (account: Account, most: number, at: number, who: string): Entry => {
    const path = fileOf(state, account)
    const line = record(at, who)
    const fd = openFile(path, constants.O_RDWR | constants.O_APPEND)
    let lines: readonly Line[]
    try {
      writeSync(fd, line)
      lines = tail(fd, most + 2 * beside)
    } finally {
      closeSync(fd)
    }
    const mine = lines.findLastIndex(({ text }) => text === line)
    const before = lines
      .slice(0, Math.max(0, mine))
      .filter(counts)
      .map((one) => ({ at: timeOf(one), who: whoOf(one) }))
    const strike = (): void => {
      const place = lines[mine]
      if (place === undefined) return
      const own = openFile(path, constants.O_WRONLY)
      try {
        writeSync(own, struck, place.at)
      } finally {
        closeSync(own)
      }
    }
    return { before, strike }
  }

  return { runs, enter }
}
