/** Ends a handler's synchronous part at its deadline: the one thing a timer in the same thread cannot do. */
import { Script } from "node:vm"

const slot = Symbol.for("hooktape/watched")
let script: Script | undefined

export class SpunTooLong extends Error {
  override readonly name = "SpunTooLong"
}

/** Calls a piece of code that has so many milliseconds. */
export type Watch = <A>(milliseconds: number, work: () => A) => A

/** For code that is known to come to an end: to be watched costs more than a small handler does. */
export const unwatched: Watch = (_, work) => work()

/** Calls `work`; when it has not returned after so many milliseconds it is terminated and `SpunTooLong` is thrown. */
export const watched: Watch = <A>(milliseconds: number, work: () => A): A => {
  const realm = globalThis as unknown as Record<symbol, (() => void) | undefined>
  let result: { readonly value: A } | undefined
  realm[slot] = () => {
    result = { value: work() }
  }
  script ??= new Script('globalThis[Symbol.for("hooktape/watched")]()', { filename: "hooktape:watchdog" })
  try {
    // The line that threw would be put before the stack: of a bundle that is all of its first line, and nothing else would be kept.
    script.runInThisContext({ timeout: Math.max(1, Math.ceil(milliseconds)), displayErrors: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
      throw new SpunTooLong(`did not return within ${milliseconds} ms`)
    }
    throw error
  } finally {
    realm[slot] = undefined
  }
  return (result as unknown as { readonly value: A }).value
}
