/** What handlers, their libraries and their children write to streams that are not theirs. */
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from "node:fs"
import { identityOf } from "../log/identityOf.ts"
import { cut, cutWindow } from "../redact/cut.ts"
import { refillStandardStreams } from "./standardStreams.ts"

export interface NoiseChunk {
  readonly stream: "stdout" | "stderr"
  /** All that was written; the text may hold less. */
  readonly bytes: number
  readonly text: string
}

/**
 * Owns the redirection of both streams from `capture*` to `restore`. Nobody else replaces a stream's writer.
 */
export interface Noise {
  /** What was written since the last call. */
  readonly take: () => readonly NoiseChunk[]
  /** Lets go of the streams. Idempotent. */
  readonly restore: () => void
}

/** Of each stream's noise between two calls this much is kept as text. */
export const keptBytes = 64 * 1024

/**
 * Noise that a launcher sent to files by descriptor: it catches native writes and children too. The files are unlinked at
 * once, so that nothing stays behind and a child that outlives the hook holds no pipe of the agent.
 */
export const captureFiles = (prefix: string): Noise => {
  const streams = (["stdout", "stderr"] as const).map((stream, index) => {
    const path = `${prefix}.${index + 1}`
    const descriptor = openSync(path, "r")
    unlinkSync(path)
    return { stream, descriptor, at: 0, before: identityOf(descriptor), told: false }
  })
  let open = true
  return {
    take: () => {
      refillStandardStreams()
      const chunks: NoiseChunk[] = []
      for (const source of streams) {
        if (open && identityOf(source.descriptor) !== source.before) {
          const text = `hooktape: what was written to ${source.stream} cannot be read, a handler closed the file\n`
          if (!source.told) chunks.push({ stream: source.stream, bytes: Buffer.byteLength(text), text })
          source.told = true
          continue
        }
        const size = open ? fstatSync(source.descriptor).size : source.at
        // A child that opened its own standard output anew (`> /dev/stdout`) has emptied the file.
        if (size < source.at) source.at = 0
        const bytes = size - source.at
        if (bytes <= 0) continue
        // Somewhat more than is kept: a secret across the cut is found whole before it is cut.
        const kept = Buffer.alloc(Math.min(bytes, keptBytes + cutWindow))
        const count = readSync(source.descriptor, kept, 0, kept.length, source.at)
        source.at += bytes
        chunks.push({ stream: source.stream, bytes, text: cut(kept.toString("utf8", 0, count), keptBytes) })
      }
      return chunks
    },
    restore: () => {
      if (!open) return
      open = false
      for (const { before, descriptor } of streams)
        if (identityOf(descriptor) === before) closeSync(descriptor)
    }
  }
}

type Callback = (error?: Error | null) => void

/** A writer that keeps what it is given: enough of a stream for `console` and for libraries that pipe into it. */
const makeSink = (kept: { bytes: number; text: string }) => {
  const write = (data: unknown, encoding?: unknown, callback?: unknown): boolean => {
    const text = typeof data === "string" ? data : Buffer.from(data as Uint8Array).toString("utf8")
    kept.bytes += Buffer.byteLength(text)
    if (kept.text.length < keptBytes) kept.text += text.slice(0, keptBytes - kept.text.length)
    const done = (typeof encoding === "function" ? encoding : callback) as Callback | undefined
    if (done) queueMicrotask(() => done())
    return true
  }
  return write
}

/**
 * Noise by replacing the writers of the process's own streams: where no launcher did it by descriptor. Native writes and
 * children that inherit a stream are out of its reach.
 */
export const captureStreams = (target: { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }): Noise => {
  const kept = { stdout: { bytes: 0, text: "" }, stderr: { bytes: 0, text: "" } }
  const names = ["stdout", "stderr"] as const
  const originals = names.map((name) => ({ write: target[name].write, end: target[name].end }))
  for (const name of names) {
    const write = makeSink(kept[name])
    // `end(text)` would write past `write`, and an ended stream would refuse what others write after it.
    const end = (...args: unknown[]) => {
      const data = typeof args[0] === "function" ? undefined : args[0]
      write(
        data ?? "",
        undefined,
        args.find((arg) => typeof arg === "function")
      )
      return target[name]
    }
    Object.assign(target[name], { write, end })
  }
  let open = true
  return {
    take: () => {
      const chunks: NoiseChunk[] = []
      for (const stream of names) {
        const { bytes, text } = kept[stream]
        if (bytes > 0) chunks.push({ stream, bytes, text })
        kept[stream].bytes = 0
        kept[stream].text = ""
      }
      return chunks
    },
    restore: () => {
      if (!open) return
      open = false
      names.forEach((name, index) => {
        const original = originals[index]
        if (original) Object.assign(target[name], original)
      })
    }
  }
}

/** For runs in which no handler takes part. */
export const noNoise: Noise = { take: () => [], restore: () => {} }
