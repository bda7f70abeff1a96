/** Reads one payload from a descriptor: until its end, or until one complete JSON value has arrived, or until the deadline. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { messageOf } from "../state/messageOf.ts"
import { pause } from "./pause.ts"

export type ReceivedPayload =
  | { readonly kind: "buffered"; readonly bytes: Buffer }
  | { readonly kind: "too-large"; readonly bytes: Buffer; readonly total: number }
  | { readonly kind: "timed-out"; readonly bytes: Buffer }
  | { readonly kind: "unreadable"; readonly bytes: Buffer; readonly detail: string }

export interface ReadPayloadOptions {
  readonly descriptor: number
  readonly deadlineMs: number
  readonly limit: number
  readonly now: () => number
}

const OBJECT = 0x7b
const ARRAY = 0x5b

/** Follows the nesting of one JSON value across chunks, so that its end is seen without waiting for the writer to hang up. */
export const makeNesting = () => {
  let depth = 0
  let started = false
  let inString = false
  let escaped = false
  return {
    /** True once an object or array that began the text is closed. */
    feed: (chunk: Uint8Array): boolean => {
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]
        if (inString) {
          if (escaped) escaped = false
          else if (byte === 0x5c) escaped = true
          else if (byte === 0x22) inString = false
        } else if (byte === 0x22) inString = true
        else if (byte === OBJECT || byte === ARRAY) {
          depth++
          started = true
        } else if (byte === 0x7d || byte === 0x5d) depth--
        if (started && depth <= 0 && !inString) return true
      }
      return false
    }
  }
}

interface Source {
  readonly descriptor: number
  readonly close: () => void
}

/**
 * A read that would wait must not: a writer that never closes would hold the hook past every deadline, and a thread stuck in
 * `read` would even keep the process from exiting. A pipe can be opened again without blocking; a socket is switched over.
 */
const unblocked = (descriptor: number): Source => {
  const same = { descriptor, close: () => {} }
  const stat = fstatSync(descriptor)
  if (stat.isFIFO() && process.platform === "linux") {
    try {
      const again = openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY | constants.O_NONBLOCK)
      return { descriptor: again, close: () => closeSync(again) }
    } catch {
      // Without /proc the switch below does it.
    }
  }
  if (stat.isFIFO() || stat.isSocket()) switchOver(descriptor)
  return same
}

/** Loading `net` for its socket costs milliseconds on every hook; the handle beneath it costs none. */
const switchOver = (descriptor: number): void => {
  try {
    const { Pipe, constants: kinds } = (process as unknown as Binding).binding("pipe_wrap")
    new Pipe(kinds.SOCKET).open(descriptor)
  } catch {
    // A runtime without it reads blocking: slower writers are waited for, and the agent's own time-out is the bound.
  }
}

interface Binding {
  binding(name: "pipe_wrap"): {
    readonly Pipe: new (kind: number) => { open(descriptor: number): number }
    readonly constants: { readonly SOCKET: number }
  }
}

const chunkSize = 64 * 1024

/** Reads synchronously; never longer than the deadline where the descriptor can be read without blocking. */
export const readPayload = (options: ReadPayloadOptions): ReceivedPayload => {
  const started = options.now()
  const source = unblocked(options.descriptor)
  const nesting = makeNesting()
  // Read into one buffer and copied out: a writer that trickles must not cost a whole chunk per byte.
  const scratch = Buffer.allocUnsafe(chunkSize)
  const chunks: Buffer[] = []
  let total = 0
  let complete = false
  let followed = 0
  /** Only who would have to wait needs to know: most agents close what they write to. */
  const follow = () => {
    for (; followed < chunks.length; followed++)
      complete = complete || nesting.feed(chunks[followed] as Buffer)
  }
  let wait = 0.1
  try {
    for (;;) {
      let count: number
      try {
        count = readSync(source.descriptor, scratch, 0, chunkSize, null)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === "EOF") count = 0
        else if (code !== "EAGAIN") {
          return { kind: "unreadable", bytes: Buffer.concat(chunks), detail: messageOf(error) }
        } else {
          follow()
          if (complete) break
          if (options.now() - started >= options.deadlineMs && total > options.limit) break
          if (options.now() - started >= options.deadlineMs)
            return { kind: "timed-out", bytes: Buffer.concat(chunks) }
          pause(wait)
          wait = Math.min(wait * 2, 5)
          continue
        }
      }
      if (count === 0) break
      wait = 0.1
      total += count
      const bytes = scratch.subarray(0, count)
      if (total > options.limit) {
        follow()
        complete = complete || nesting.feed(bytes)
        // The rest is drained unread: an agent that gets EPIPE may report a broken hook.
        if (chunks.length > 16) followed = chunks.length = 16
        if (options.now() - started >= options.deadlineMs) break
        continue
      }
      chunks.push(Buffer.from(bytes))
    }
  } finally {
    source.close()
  }
  const bytes = Buffer.concat(chunks)
  return total > options.limit ? { kind: "too-large", bytes, total } : { kind: "buffered", bytes }
}
