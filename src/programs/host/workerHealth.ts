/** Whether a process in which handlers ran may be used again. */
import { fstatSync, readFileSync } from "node:fs"
import { makeIntact } from "../../runtime/builtins.ts"
import type { GoodFor } from "./messages.ts"

/** As they are before any hook is loaded. */
const isIntact = makeIntact()

/** What any code may have at hand: changed, it is changed for the hooks of every project. */
const modules = [
  "fs",
  "fs/promises",
  "path",
  "os",
  "events",
  "util",
  "url",
  "net",
  "stream",
  "timers",
  "child_process"
].map((name) => process.getBuiltinModule(name) as object)
const areModulesIntact = makeIntact([
  ...modules,
  process,
  Reflect.get(globalThis, "console") as object,
  globalThis
])
const events = () =>
  process
    .eventNames()
    .map((name) => [String(name), process.listenerCount(name)])
    .join()
/** Our own runtime keeps what it has under symbols, and Effect under names of its own. */
const globalNames = (): number =>
  Object.keys(Object.getOwnPropertyDescriptors(globalThis)).filter((name) => !name.startsWith("effect/"))
    .length
const knownGlobals = globalNames()
const knownMask = process.umask()
const knownEvents = events()

/** Whether the hooks of another project would find what they find in a process of their own. */
const isAsNew = (): boolean =>
  areModulesIntact() &&
  globalNames() === knownGlobals &&
  process.umask() === knownMask &&
  events() === knownEvents

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

/** Processes that handlers started and that run on, as far as the system tells: what they print would be the next call's. */
const hasChildren = (own: number | undefined): boolean => {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").trim()
    return children !== "" && children !== String(own)
  } catch {
    return false
  }
}

/** What a handler left running or broken is not waited for: the process is replaced, as the entrypoint's would have ended. */
const isReusable = (own: number | undefined): boolean =>
  // First: the others use what it looks at.
  isIntact() &&
  // One pipe is the host's.
  process.getActiveResourcesInfo().filter((kind) => !passing.has(kind)).length <= 1 &&
  isWhole() &&
  !hasChildren(own)

/** `own`: the process that runs beside this one by right. */
export const goodFor = (own: number | undefined): GoodFor => {
  if (!isReusable(own)) return "none"
  return isAsNew() ? "any" : "same"
}
