/**
 * One recorded hook call with hooks of today, in a process of its own: the same bundle that an agent's call would start, at the
 * recorded time and with repeatable randomness, so that running it twice says the same twice.
 */
import { readFileSync } from "node:fs"
import { open as openInspector } from "node:inspector"
import { pathToFileURL } from "node:url"
import { constants, Script } from "node:vm"
import type { InvocationId } from "../../../events/ids.ts"
import { hintedBefore } from "../../history/failureHints.ts"
import { type Compiled, compile } from "../../runtime/builds/compiled.ts"
import { requireFor } from "../../runtime/builds/requireFor.ts"
import { handOver } from "../../runtime/call.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import type { LateRun } from "../../runtime/services/handlerServices.ts"
import { type Remembered, recalled } from "./recalled.ts"
import { seeded, standStill } from "./standStill.ts"

/** What the parent passes as the only argument, as JSON. */
export interface RerunCall {
  readonly bundle: string
  readonly agent: string
  readonly agentEvent: string
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly build: string
  readonly config?: string
  readonly deadlineMs: number
  /** When it was recorded, milliseconds since 1970. */
  readonly at: number
  readonly invocation: InvocationId
  /** Holds what the handlers were answered by services, as JSON. */
  readonly recorded: string
  /** What was known of the calls before it. */
  readonly planned?: Remembered
  /** The runs of handlers that ran out of time. */
  readonly late: readonly LateRun[]
  /** The hooks whose failure the human was told of. */
  readonly hinted: readonly string[]
  /** The port at which it waits for a debugger, to stop in it before each handler; 0 for any. */
  readonly inspect?: number
}

/** What a bundle is evaluated in. */
const wrapper = "(function(require,module,exports){"

/** Where the watchdog has what it calls for a handler. */
const watchedSlot = Symbol.for("hooktape/watched")

/** Nobody steps through code against the clock: what ends a handler that does not return is off, and a stop stands in its place. */
const stopBeforeHandlers = (): void => {
  const realm = globalThis as unknown as Record<symbol, (() => void) | undefined>
  const { runInThisContext } = Script.prototype
  Script.prototype.runInThisContext = function (options) {
    const { timeout, ...rest } = options ?? {}
    const work = realm[watchedSlot]
    if (timeout !== undefined && work !== undefined)
      realm[watchedSlot] = () => {
        // biome-ignore lint/suspicious/noDebugger: this is what the caller wants. What is called next is the handler.
        debugger
        work()
      }
    return runInThisContext.call(this, rest)
  }
}

const { bundle, at, hinted, inspect, invocation, planned, recorded, ...call } = JSON.parse(
  process.argv[2] ?? ""
) as RerunCall

const ran: Compiled[] = []

standStill(() => at)
Math.random = seeded(invocation)
handOver({
  ...call,
  invocation,
  recorded: JSON.parse(readFileSync(recorded, "utf8")),
  ...(planned === undefined ? {} : { past: recalled(planned) }),
  failureHints: hintedBefore(hinted),
  stdout: 1,
  stderr: 2,
  began: monotonic(),
  remarks: [],
  hints: [],
  // The next call starts with what this one leaves compiled.
  ended: () => {
    if (inspect === undefined) for (const one of ran) one.keep()
  }
})

if (inspect !== undefined) {
  openInspector(inspect, "127.0.0.1", true)
  stopBeforeHandlers()
}

/** Beside the bundle lies a map of the author's lines, and its columns are those of the bundle alone. */
const steppedThrough = (): Compiled["run"] => {
  const text = `${wrapper}${readFileSync(bundle, "utf8")}\n})\n//# sourceMappingURL=${pathToFileURL(`${bundle}.map`)}`
  const script = new Script(text, {
    filename: bundle,
    columnOffset: -wrapper.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  })
  return script.runInThisContext()
}

const asCalled = (): Compiled["run"] => {
  const compiled = compile(bundle, call.agent)
  ran.push(compiled)
  return compiled.run
}

const run = inspect === undefined ? asCalled() : steppedThrough()
const unit = { exports: {} }
run(requireFor(bundle, { loaded: (file) => void ran.push(file) }), unit, unit.exports)
