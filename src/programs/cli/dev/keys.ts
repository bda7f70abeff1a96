/** Single keys of a terminal, as they are pressed; none where nobody sits at one. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

/** Ctrl-C is a byte like any other while keys are read one by one. */
const interrupt = "\u0003"

/** The terminal is as it was once the scope ends. */
export const pressedKeys = Effect.acquireRelease(
  Effect.gen(function* () {
    const keys = yield* Queue.unbounded<string>()
    const { stdin } = process
    if (stdin.isTTY !== true) return { keys, close: () => {} }
    const take = (bytes: Buffer): void => {
      const key = bytes.toString("utf8")
      if (key === interrupt) process.kill(process.pid, "SIGINT")
      else Queue.unsafeOffer(keys, key)
    }
    stdin.setRawMode(true)
    stdin.on("data", take)
    stdin.resume()
    return {
      keys,
      close: () => {
        stdin.off("data", take)
        stdin.setRawMode(false)
        stdin.pause()
      }
    }
  }),
  ({ close }) => Effect.sync(close)
).pipe(Effect.map(({ keys }) => keys))
