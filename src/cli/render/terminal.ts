/** The only place of the command line that writes to the process's streams and ends the process. */
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import { pause } from "../../engine/pause.ts"
import type { Progress, ScreenShape } from "../Screen.ts"
import { coloured, cut, plain, unstyled } from "./style.ts"

type Written = "written" | "reader gone"

/** Synchronous and complete: nothing is cut off when the process ends, and the order of two streams is kept. */
const write = (descriptor: 1 | 2, text: string): Written => {
  const bytes = Buffer.from(text, "utf8")
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === "EPIPE" || code === "EBADF") return "reader gone"
      if (code !== "EAGAIN") throw error
      pause(1)
    }
  }
  return "written"
}

const colours = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb"

const wipe = "\r\u001b[2K"
const everyMs = 80

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
      write(2, wipe + cut(`${label} ${count}${what === undefined ? "" : ` · ${what}`}`, width() - 1))
    },
    end: () => {
      if (shown) write(2, wipe)
      shown = false
    }
  }
}

export const terminal = (env: NodeJS.ProcessEnv = process.env): ScreenShape => {
  const { stdout, stderr } = process
  return {
    // A reader that has enough (`| head`) is no failure: the command just ends.
    out: (text) => Effect.suspend(() => (write(1, text) === "written" ? Effect.void : Effect.interrupt)),
    note: (text) =>
      Effect.sync(() => {
        write(2, colours(stderr, env) ? text : unstyled(text))
      }),
    watched: stderr.isTTY === true,
    style: colours(stdout, env) ? coloured : plain,
    width: stdout.isTTY ? (stdout.columns ?? 80) : undefined,
    progress: (label) =>
      stderr.isTTY && env["TERM"] !== "dumb" ? lively(label, () => stderr.columns ?? 80) : silent
  }
}

/** Ends the process; everything was written by then. */
export const leave = (code: number): never => process.exit(code)
