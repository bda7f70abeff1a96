/**
 * Counts the hook calls that could not be recorded, where nothing can be recorded: on a full disk. The file is made while there is
 * room, and a short line is added within the block that it has. Light: the entrypoint brings it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"

const fileOf = (state: string): string => join(state, "run", "gaps")

/** Each line has so many bytes: one that was torn is told by it, and does not spoil the next. */
const lineBytes = 32

const lineOf = (text: string): string => `${text.slice(0, lineBytes - 1).padEnd(lineBytes - 1)}\n`

const first = lineOf("calls that were not recorded")

/** What the system says of an error, or of one that it came from. */
const codeOf = (error: unknown): string => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === "string" && /^[A-Z_]+$/.test(code)) return code
  }
  return "unknown"
}

/** Counted when this returns true; false where not even that can be written down. */
export const countGap = (state: string, at: number, error: unknown, calls = 1): boolean => {
  try {
    const { O_WRONLY, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
    const file = openSync(fileOf(state), O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK)
    try {
      return (
        fstatSync(file).isFile() && writeSync(file, lineOf(`${at} ${calls} ${codeOf(error)}`)) === lineBytes
      )
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

export interface Gap {
  readonly at: number
  readonly calls: number
  readonly code: string
}

/** What was counted, and the text it stands in; undefined where there is no file to count in. */
export const readGaps = (
  state: string
): { readonly gaps: readonly Gap[]; readonly text: string } | undefined => {
  try {
    const text = readFileSync(fileOf(state), "latin1")
    const gaps = text.split("\n").flatMap((line) => {
      const [, at, calls, code = ""] = /^(\d{1,15}) (\d{1,9}) ([A-Za-z_]+) *$/.exec(line) ?? []
      return at === undefined ? [] : [{ at: Number(at), calls: Number(calls), code }]
    })
    return { gaps, text }
  } catch {
    return undefined
  }
}

/** Made anew: with nothing counted, and room for what is to be. */
export const beginGaps = (state: string): void => {
  const aside = `${fileOf(state)}.${process.pid}`
  writeFileSync(aside, first, { mode: 0o600 })
  renameSync(aside, fileOf(state))
}
