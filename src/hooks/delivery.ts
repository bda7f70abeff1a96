/** Where what a background hook returns is heard: how its author says so, and what is wrong with that. */
import type { HookDefinition } from "./defineHook.ts"
import { longDurationProblem, toMillis } from "./duration.ts"
import type { Delivery } from "./hookOptions.ts"

/** Marks the hook that says what others left: it is in a plan only where something waits. */
export const hearing = Symbol.for("hooktape/hearing")

/** As a plan has it. */
export interface Delivering {
  readonly withinMs: number
  readonly keep: NonNullable<Delivery["keep"]>
}

/** What was found out an hour ago is news of another piece of work. */
const defaultWithinMs = 3_600_000

const keeps: readonly unknown[] = ["all", "newest"]

/** Undefined where nobody is to hear of it. */
export const deliveringOf = ({ deliver }: Pick<HookDefinition, "deliver">): Delivering | undefined => {
  if (deliver === undefined) return undefined
  const { keep = "all", within = defaultWithinMs }: Delivery = deliver === "next" ? { to: "next" } : deliver
  return { withinMs: toMillis(within), keep }
}

/** What is wrong with it, or nothing. */
export const deliveryProblem = (value: unknown): string | undefined => {
  if (value === "next") return undefined
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return 'must be "next", or an object such as { to: "next", within: "10 minutes" }'
  const { keep, to, within, ...rest } = value as Readonly<Record<string, unknown>>
  const [stray] = Object.keys(rest)
  if (stray !== undefined) return `has no \`${stray}\`; there is to, within, keep`
  if (to !== "next") return 'needs a `to`, which must be "next"'
  if (keep !== undefined && !keeps.includes(keep)) return 'has a `keep` that must be "all" or "newest"'
  const late = within === undefined ? undefined : longDurationProblem(within)
  return late === undefined ? undefined : `has a \`within\` that ${late}`
}
