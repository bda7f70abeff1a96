/**
 * Keeps descriptors 0 to 2 taken while handlers run. What is opened while one is free has its number, be it by a thread that starts just
 * then, and Node aborts when it closes that.
 */
import { closeSync, fstatSync, openSync } from "node:fs"

const standard = [0, 1, 2]

/** From here on nobody closes them through `fs`: what was asked for is done as far as its caller can tell. */
export const keepStandardStreams = (): void => {
  const fs = process.getBuiltinModule("node:fs")
  const { close, closeSync } = fs
  Object.assign(fs, {
    close: (descriptor: number, done?: (error?: Error | null) => void): void => {
      if (!standard.includes(descriptor)) close(descriptor, done)
      else if (done) process.nextTick(done, null)
    },
    closeSync: (descriptor: number): void => {
      if (!standard.includes(descriptor)) closeSync(descriptor)
    }
  })
}

/** For those that were closed all the same, by other means than `fs` or where nobody kept them. */
export const refillStandardStreams = (): void => {
  // From the lowest on, which is what the system gives out first.
  for (const one of standard) {
    try {
      fstatSync(one)
    } catch {
      const lowest = openSync("/dev/null", "r+")
      if (lowest !== one) closeSync(lowest)
    }
  }
}
