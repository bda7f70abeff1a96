/** Whether a process in which handlers ran may be used again. */
import { fstatSync, readFileSync } from "node:fs"
import { getHeapStatistics } from "node:v8"
import { makeIntact } from "../../runtime/builtins.ts"
import { watchLeftRunning } from "./leftRunning.ts"
import type { GoodFor } from "./messages.ts"
import { makePristine, unnamed, withClasses } from "./pristine.ts"

/** As they are before any hook is loaded. */
const isIntact = makeIntact()
const turn = setImmediate
const isAnythingLeft = watchLeftRunning()

/** What is loaded from the start, and any code may have at hand: changed, it is changed for the hooks of every project. */
const modules = [
  "async_hooks",
  "child_process",
  "events",
  "fs",
  "fs/promises",
  "module",
  "net",
  "os",
  "path",
  "stream",
  "timers",
  "url",
  "util"
].map((name) => process.getBuiltinModule(name) as object)

/** Newer Nodes make it as soon as something asks for `FormData`, which our own code does; another one that was set in its place has another name. */
const isNodesDispatcher = (key: symbol): boolean =>
  key.description?.startsWith("undici.globalDispatcher.") === true &&
  (Reflect.get(globalThis, key) as object | undefined)?.constructor?.name === "Agent"

/** Our own runtime keeps what it has under symbols, and Effect under names of its own. */
const isOurs = (key: PropertyKey): boolean =>
  typeof key === "symbol"
    ? key.description?.startsWith("hooktape/") === true || isNodesDispatcher(key)
    : key === "effect/FiberCurrent" || /^effect\/GlobalValue\/globalStoreId\/[\d.]+$/.test(String(key))

const { isPristine, watch } = makePristine(isOurs)
const global = (name: string): object => Reflect.get(globalThis, name) as object

watch([
  process,
  ...withClasses(globalThis),
  ...["Atomics", "JSON", "Math", "Reflect", "WebAssembly", "console"].map(global),
  ...withClasses(Intl),
  ...unnamed(),
  ...modules.flatMap(withClasses),
  Reflect.get(process.getBuiltinModule("module") as object, "_extensions") as object
])

const watched = new Set<object>(modules)
/** A module of Node that a hook is about to get, as it is before. */
export const watchModule = (module: object): void => {
  if (watched.has(module)) return
  watched.add(module)
  watch(withClasses(module))
}

const events = () =>
  process
    .eventNames()
    .map((name) => [String(name), process.listenerCount(name)])
    .join()
const knownMask = process.umask()
const knownEvents = events()

/** Whether the hooks of another project would find what they find in a process of their own. */
const isAsNew = (): boolean =>
  isPristine() &&
  process.umask() === knownMask &&
  events() === knownEvents &&
  !process.hasUncaughtExceptionCaptureCallback() &&
  !isAnythingLeft()

/** Passing things of the pipe to the host. */
const passing = new Set(["CloseReq", "WriteWrap", "ShutdownWrap"])

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

/** Beyond that a call that needs much might not come to its end. */
const mostOfHeap = 0.6

const isFull = (): boolean => {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics()
  return used > limit * mostOfHeap
}

/** What a handler left running or broken is not waited for: the process is replaced, as the entrypoint's would have ended. */
const isReusable = (own: number | undefined): boolean =>
  // One pipe is the host's.
  process.getActiveResourcesInfo().filter((kind) => !passing.has(kind)).length <= 1 &&
  isWhole() &&
  !isFull() &&
  !hasChildren(own)

/** What is to be done in this turn of the loop or the next is over by then; what always begins anew is not. */
const patience = 3

/** `own`: the process that runs beside this one by right. */
export const lookAtItself = (
  own: number | undefined,
  say: (goodFor: GoodFor) => void,
  turns = patience
): void => {
  // First: all that follows uses what it looks at.
  if (!isIntact()) say("none")
  else if (turns > 0 && process.getActiveResourcesInfo().includes("Immediate"))
    turn(() => lookAtItself(own, say, turns - 1))
  else if (isReusable(own)) say(isAsNew() ? "any" : "same")
  else say("none")
}
