/** What a handler must not be able to do to the invocation it runs in: end the process, or throw past its own outcome. */
import { AsyncLocalStorage } from "node:async_hooks"
import { asError } from "./errors.ts"

/** Thrown in place of ending the process. */
export class ExitAttempt extends Error {
  override readonly name = "ExitAttempt"
}

/** A failure outside of any call, and the index of the handler whose code it came from. */
export type Stray = (error: Error, owner: number | undefined) => void

export interface Isolation {
  /** Runs `work` so that whatever it leaves behind (timers, promises) is known to be the handler's. */
  readonly attribute: <A>(owner: number, work: () => A) => A
  readonly release: () => void
}

const refuse =
  (call: string) =>
  (code?: unknown): never => {
    throw new ExitAttempt(
      `called ${call}(${code === undefined ? "" : String(code)}), which would have ended the hook`
    )
  }

/**
 * From now until `release`, ending the process throws instead, and what is thrown or rejected outside of any call (a timer, a
 * promise nobody awaits) goes to `stray` instead of ending the process.
 */
export const isolate = (stray: Stray): Isolation => {
  let owners: AsyncLocalStorage<number> | undefined
  const { exit, reallyExit, abort, kill } = process as NodeJS.Process & {
    reallyExit: (code?: number) => never
  }
  Object.assign(process, {
    kill: (pid: number, signal?: string | number) =>
      pid === process.pid && signal !== 0
        ? refuse("process.kill")(`itself, ${signal ?? "SIGTERM"}`)
        : kill.call(process, pid, signal),
    exit: refuse("process.exit"),
    reallyExit: refuse("process.reallyExit"),
    abort: refuse("process.abort")
  })
  const caught = (error: unknown) => stray(asError(error), owners?.getStore())
  process.on("uncaughtException", caught)
  process.on("unhandledRejection", caught)
  return {
    attribute: (owner, work) => {
      owners ??= new AsyncLocalStorage()
      return owners.run(owner, work)
    },
    release: () => {
      // One that stays enabled costs every promise of the process from then on.
      owners?.disable()
      Object.assign(process, { exit, reallyExit, abort, kill })
      process.off("uncaughtException", caught)
      process.off("unhandledRejection", caught)
    }
  }
}
