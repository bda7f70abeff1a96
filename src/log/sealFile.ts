/**
 * The newest seal, in a file beside the log: a log whose end was cut off is whole in itself, and only this tells that there was
 * more. Written after each commit, so it is never ahead of the log; it may be behind.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs"
import { uptime } from "node:os"
import { readPrivate } from "../state/state.ts"
import { textSum } from "./rowSum.ts"

export interface Newest {
  readonly position: number
  /** Hexadecimal. */
  readonly seal: string
  /** Tells one run of the machine from the next: what was written last may be gone with its power. */
  readonly boot: string
}

export const sealFileOf = (log: string): string => `${log}.seal`

const size = 160

const line = (text: string): string => `${text} ${textSum(text) >>> 0}`.padEnd(size - 1).concat("\n")

/** By the kernel's own name for it, or the minute in which it began. */
export const bootId = (): string => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()
  } catch {
    return String(Math.round((Date.now() - uptime() * 1000) / 60_000))
  }
}

/** Undefined where there is none; `damaged` where what is there was not written so by us. */
export const readSealFile = (log: string): Newest | "damaged" | undefined => {
  const text = readPrivate(sealFileOf(log))?.toString("latin1")
  if (text === undefined || text === "") return undefined
  const [, body, position, seal, boot, sum] = /^((\d+) ([0-9a-f]{32}) (\S+)) (\d+) *\n$/.exec(text) ?? []
  if (body === undefined || textSum(body) >>> 0 !== Number(sum)) return "damaged"
  return { position: Number(position), seal: seal as string, boot: boot as string }
}

export interface SealFile {
  readonly write: (position: number, seal: Buffer) => void
  readonly close: () => void
}

/** One write of one place: whoever reads sees one whole line or the next. */
export const openSealFile = (log: string): SealFile => {
  const flags = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const fd = openSync(sealFileOf(log), flags, 0o600)
  if (!fstatSync(fd).isFile()) {
    closeSync(fd)
    throw new Error(`${sealFileOf(log)} is not a file: move it away`)
  }
  const boot = bootId()
  return {
    write: (position, seal) => {
      const text = line(`${position} ${seal.toString("hex")} ${boot}`)
      writeSync(fd, text, 0, "latin1")
    },
    close: () => closeSync(fd)
  }
}
