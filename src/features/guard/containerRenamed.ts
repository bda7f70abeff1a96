/** `docker rename x y`: what the line started as `x` is called `y` from here on, and what is called `y` by then may be anybody's. */
import type { Call } from "./Call.ts"
import { containerKey, engines, verbOf } from "./container.ts"
import { first } from "./expand.ts"

export const followRename = (call: Call): void => {
  const { containers } = call.state
  if (containers.size === 0 || !engines.test(call.name)) return
  const [verb, behind] = verbOf(call.args)
  if (verb !== "rename") return
  const [from, to, another] = behind.map(first)
  const key = from === undefined ? undefined : containerKey(from, call)
  const renamed = to === undefined ? undefined : containerKey(to, call)
  if (renamed === undefined || another !== undefined || call.fed) {
    containers.clear()
    return
  }
  const container = key === undefined ? undefined : containers.get(key)
  if (key !== undefined) containers.delete(key)
  if (container === undefined) containers.delete(renamed)
  else containers.set(renamed, container)
}
