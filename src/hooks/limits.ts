/** How often a hook may run: its limits as one kind of rule, and what they say to the runs there were. Pure. */
import type { HookDefinition } from "./defineHook.ts"
import { toMillis } from "./duration.ts"
import type { LimitScope } from "./hookOptions.ts"

/** At most `limit` runs within `withinMs`; without it, ever. */
export interface Limit {
  readonly name: "once" | "cooldown" | "rateLimit"
  readonly scope: LimitScope
  readonly limit: number
  readonly withinMs: number | undefined
}

type Limited = Pick<HookDefinition, "once" | "cooldown" | "rateLimit">

export const limitsOf = ({ once, cooldown, rateLimit }: Limited): readonly Limit[] => {
  const limits: Limit[] = []
  if (once !== undefined) limits.push({ name: "once", scope: once, limit: 1, withinMs: undefined })
  if (cooldown !== undefined) {
    const { for: length, scope = "session" } = typeof cooldown === "object" ? cooldown : { for: cooldown }
    limits.push({ name: "cooldown", scope, limit: 1, withinMs: toMillis(length) })
  }
  if (rateLimit !== undefined) {
    const { limit, per, scope = "session" } = rateLimit
    limits.push({ name: "rateLimit", scope, limit, withinMs: toMillis(per) })
  }
  return limits
}

const units: readonly (readonly [number, string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"]
]

/** A length of time as a human says it, never less than it is. */
const spoken = (ms: number): string => {
  for (const [length, unit] of units) {
    if (ms < length) continue
    const count = Math.ceil(ms / length)
    return `${count} ${unit}${count === 1 ? "" : "s"}`
  }
  return `${Math.ceil(ms)} ms`
}

/** Why it may not run at `now`, or nothing. `runs`: when it ran in this scope, milliseconds since 1970, in any order. */
export const refusal = (rule: Limit, runs: readonly number[], now: number): string | undefined => {
  const { limit, name, scope, withinMs } = rule
  if (withinMs === undefined)
    return runs.length < limit ? undefined : `once: it has run in this ${scope} already`
  // A clock that was set back must not keep a hook out for longer than its limit says.
  const counted = runs.filter((at) => now - at < withinMs && at - now < withinMs).sort((a, b) => b - a)
  const decisive = counted[limit - 1]
  if (decisive === undefined) return undefined
  const free = spoken(Math.min(withinMs, decisive + withinMs - now))
  return name === "cooldown"
    ? `cooldown: it runs again in this ${scope} in ${free}`
    : `rateLimit: ${limit} in ${spoken(withinMs)} in this ${scope} is the most; the next in ${free}`
}

/** How many of the newest runs the limits of one scope need to be told. */
export const remembered = (limits: readonly Limit[]): number =>
  Math.max(0, ...limits.map(({ limit }) => limit))
