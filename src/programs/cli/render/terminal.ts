/** The only place of the command line that writes to the process's streams and ends the process. */
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import type { Progress, ScreenShape } from "../Screen.ts"
import { coloured, cut, plain, unstyled } from "./style.ts"

type Descriptor = 1 | 2

/** How many of the bytes from `at` on were taken: none where the reader is slow. Undefined where it has gone. */
const taken = (descriptor: Descriptor, bytes: Buffer, at: number): number | undefined => {
  try {
    return writeSync(descriptor, bytes, at)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EPIPE" || code === "EBADF") return undefined
    if (code !== "EAGAIN") throw error
    return 0
  }
}

/** Complete: nothing is cut off when the process ends, and the order of two streams is kept. A slow reader is waited for as signals are. */
const write = (descriptor: Descriptor, text: string): Effect.Effect<"written" | "reader gone"> =>
  Effect.suspend(() => {
    const bytes = Buffer.from(text, "utf8")
    const from = (at: number): Effect.Effect<"written" | "reader gone"> => {
      for (let next = at; next < bytes.length; ) {
        const more = taken(descriptor, bytes, next)
        if (more === undefined) return Effect.succeed("reader gone")
        if (more === 0) return Effect.flatMap(Effect.sleep(waitMs), () => from(next))
        next += more
      }
      return Effect.succeed("written")
    }
    return from(0)
  })

const colours = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb"

/** A pipe that is full holds what its reader takes a while for. */
const waitMs = 1

const wipe = "\r\u001b[2K"
const everyMs = 80

/** What does not fit now is not worth waiting for: the next one says more. */
const flash = (text: string): void => void taken(2, Buffer.from(text, "utf8"), 0)

const silent: Progress = { at: () => {}, end: () => {} }

const lively = (label: string, width: () => number): Progress => {
  let last = 0
  let shown = false
  return {
    at: (done, total, what) => {
      const now = Date.now()
      if (now - last < everyMs) return
      last = now
      shown = true
      const count = total === undefined ? `${done}` : `${done}/${total}`
      flash(wipe + cut(`${label} ${count}${what === undefined ? "" : ` · ${what}`}`, width() - 1))
    },
    end: () => {
      if (shown) flash(wipe)
      shown = false
    }
  }
}

export const terminal = (env: NodeJS.ProcessEnv = process.env): ScreenShape => {
  const { stdout, stderr } = process
  return {
    // A reader that has enough (`| head`) is no failure: the command just ends.
    out: (text) =>
      Effect.flatMap(write(1, text), (end) => (end === "written" ? Effect.void : Effect.interrupt)),
    note: (text) =>
      Effect.asVoid(Effect.suspend(() => write(2, colours(stderr, env) ? text : unstyled(text)))),
    watched: stderr.isTTY === true,
    style: colours(stdout, env) ? coloured : plain,
    width: stdout.isTTY ? (stdout.columns ?? 80) : undefined,
    progress: (label) =>
      stderr.isTTY && env["TERM"] !== "dumb" ? lively(label, () => stderr.columns ?? 80) : silent
  }
}

/** Ends the process; everything was written by then. */
export const leave = (code: number): never => process.exit(code)
