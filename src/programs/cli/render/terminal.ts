/** Writes to the streams of the process, and ends it. */
import * as Effect from "effect/Effect"
import type { Progress, ScreenShape } from "../Screen.ts"
import { asCalled } from "./asCalled.ts"
import { colours, type Descriptor, drawingOn, taken, waitMs } from "./stream.ts"
import { cut, unstyled } from "./style.ts"
import { broken } from "./wrap.ts"

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
    note: (text, how) => {
      const said = how === "exact" ? text : broken(asCalled(text), stderr.isTTY ? stderr.columns : undefined)
      return Effect.asVoid(Effect.suspend(() => write(2, colours(stderr, env) ? said : unstyled(said))))
    },
    watched: stderr.isTTY === true,
    ...drawingOn(stdout, env),
    progress: (label) =>
      stderr.isTTY && env["TERM"] !== "dumb" ? lively(label, () => stderr.columns ?? 80) : silent
  }
}

/** Ends the process; everything was written by then. */
export const leave = (code: number): never => process.exit(code)
