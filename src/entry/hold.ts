/**
 * The way to the native client that started this process and outlives it: what it is to answer should nothing come of this process,
 * in frames on a descriptor; docs/decisions/0019 is the contract.
 */
import { writeSync } from "node:fs"
import { identityOf } from "../log/identityOf.ts"

export interface Held {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The file in the spool that the facts of the call go to, and those that are still to be appended then. */
  readonly spool: string
  readonly tail: string
}

export interface Hold {
  /** Replaces what was held before. After so many milliseconds this process is ended and it is answered. */
  readonly keep: (held: Held, leftMs: number) => void
  /** From now on the agent is answered from here: only the exit code is still held. False where that could not be said. */
  readonly answering: (code: number, leftMs: number) => boolean
  /** All is done: nothing is held any more. */
  readonly release: () => void
}

const headerBytes = 28
const kinds = { holds: 1, answers: 2 } as const

/** As they are before any hook is loaded. */
const { alloc, from, concat } = Buffer

const frameOf = (kind: number, code: number, leftMs: number, parts: readonly Buffer[]): Buffer => {
  const head = alloc(headerBytes)
  head.write("HKH1", 0, "latin1")
  head[4] = kind
  head[5] = code
  head.writeUInt32LE(Math.max(1, Math.round(leftMs)), 8)
  for (let at = 0; at < 4; at++) head.writeUInt32LE(parts[at]?.length ?? 0, 12 + 4 * at)
  return concat([head, ...parts])
}

const throughDescriptor = (descriptor: number): Hold => {
  const before = identityOf(descriptor)
  let open = true
  const send = (frame: Buffer): boolean => {
    try {
      // A handler may have closed it, and something else may have its number now.
      open &&= identityOf(descriptor) === before
      for (let at = 0; open && at < frame.length; ) at += writeSync(descriptor, frame, at, frame.length - at)
    } catch {
      // Half a frame may be out. What was held before stays held.
      open = false
    }
    return open
  }
  return {
    keep: ({ code, spool, stderr, stdout, tail }, leftMs) =>
      void send(
        frameOf(
          kinds.holds,
          code,
          leftMs,
          [stdout, stderr, spool, tail].map((text) => from(text, "utf8"))
        )
      ),
    answering: (code, leftMs) => send(frameOf(kinds.answers, code, leftMs, [])),
    release: () => undefined
  }
}

/** Undefined where nobody outlives this process: the launcher becomes it, a native client stays and names a descriptor. */
export const openHold = (where: string | undefined): Hold | undefined => {
  if (where === undefined || !/^\d+$/.test(where)) return undefined
  try {
    return throughDescriptor(Number(where))
  } catch {
    return undefined
  }
}
