/**
 * What a handler left that runs on without keeping a process: a timer that it let go of, a hook of Node's on all that is done
 * asynchronously. Neither is among the resources that Node names.
 */
import { createHook } from "node:async_hooks"
import { isOwnTimer } from "../../trust/ownTimer.ts"

type Timer = NodeJS.Timeout | NodeJS.Immediate

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect

/** Puts a method in another's place that does the same, and tells of it. */
const tellOf = <One extends object>(prototype: One, name: string, told: (one: One) => void): void => {
  const descriptor = getOwnPropertyDescriptor(prototype, name)
  const method: unknown = descriptor?.value
  if (typeof method !== "function") return
  const value = {
    [name](this: One, ...all: unknown[]): unknown {
      told(this)
      return Reflect.apply(method, this, all)
    }
  }[name]
  defineProperty(prototype, name, { ...descriptor, value })
}

/** Before any hook is loaded. True where something runs on. */
export const watchLeftRunning = (): (() => boolean) => {
  const timers = new Set<Timer>()
  const letGo = (timer: Timer): void => {
    if (!isOwnTimer(timer)) timers.add(timer)
  }
  const timeout = setTimeout(() => undefined, 0)
  const immediate = setImmediate(() => undefined)
  clearTimeout(timeout)
  clearImmediate(immediate)
  tellOf(getPrototypeOf(timeout) as Timer, "unref", letGo)
  tellOf(getPrototypeOf(immediate) as Timer, "unref", letGo)

  const enabled = new Set<object>()
  const hook = getPrototypeOf(createHook({})) as object
  tellOf(hook, "enable", (one) => void enabled.add(one))
  tellOf(hook, "disable", (one) => void enabled.delete(one))

  return () => {
    for (const timer of timers)
      if ((timer as { _destroyed?: boolean })._destroyed === true) timers.delete(timer)
    return timers.size > 0 || enabled.size > 0
  }
}
