/** Timers of our own in processes in which hooks run: they are nothing that a hook left running. */

/** One for all copies of this module: what bundles share brings its own. */
const mark = Symbol.for("hooktape/own-timer")

/** It does not keep the process. */
export const unrefOwn = (timer: NodeJS.Timeout): NodeJS.Timeout => {
  Reflect.set(timer, mark, true)
  return timer.unref()
}

export const isOwnTimer = (timer: object): boolean => mark in timer
