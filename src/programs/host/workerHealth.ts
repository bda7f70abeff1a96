/** Whether a process in which handlers ran may be used again. */
import { fstatSync, readFileSync } from "node:fs"
import { makeIntact } from "../../runtime/builtins.ts"

/** As they are before any hook is loaded. */
const isIntact = makeIntact()

/** Passing things of the pipe to the host. */
const passing = new Set(["CloseReq", "WriteWrap", "ShutdownWrap", "Immediate"])

/** Where our streams go; a handler may have closed them, and something else may have their numbers now. */
const streams = [0, 1, 2].map((descriptor) => fstatSync(descriptor))
const globals = ["setTimeout", "setInterval", "setImmediate", "Date", "JSON", "Promise", "console", "process"]
const known = globals.map((name) => Reflect.get(globalThis, name) as unknown)

const isWhole = (): boolean =>
  globals.every((name, at) => Reflect.get(globalThis, name) === known[at]) &&
  // stream-bypass: asked, not written: a handler may have closed them
  !process.stdout.destroyed &&
  // stream-bypass: the same
  !process.stderr.destroyed &&
  streams.every(({ dev, ino }, at) => {
    try {
      const now = fstatSync(at)
      return now.dev === dev && now.ino === ino
    } catch {
      return false
    }
  })

/** Processes that it started and that run on, as far as the system tells: what they print would be the next call's. */
const hasChildren = (): boolean => {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").trim() !== ""
  } catch {
    return false
  }
}

/** What a handler left running or broken is not waited for: the process is replaced, as the entrypoint's would have ended. */
export const isReusable = (): boolean =>
  // First: the others use what it looks at.
  isIntact() &&
  // One pipe is the host's.
  process.getActiveResourcesInfo().filter((kind) => !passing.has(kind)).length <= 1 &&
  isWhole() &&
  !hasChildren()
