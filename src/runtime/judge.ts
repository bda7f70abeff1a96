/** Whether a hook is to run here, as far as it and its conditions can tell. */

import type { LeftOut } from "../../events/facts.ts"
import type { Asking } from "../history/Past.ts"
import type { When } from "../hooks/defineHook.ts"
import type { Registered } from "../hooks/Registered.ts"
import { mismatch } from "../hooks/when.ts"
import { isShippedSource } from "../state/shippedSource.ts"
import { asError, errorOf } from "./errors.ts"
import { endsByItself } from "./quick.ts"
import type { PlanInput } from "./registry.ts"
import { SpunTooLong } from "./watchdog.ts"

export interface Judged {
  /** Why it is left out. */
  readonly reason?: string | undefined
  readonly by?: LeftOut["by"]
  /** Why nobody can tell. */
  readonly undecidable?: string
  /** It says itself that it is off, and somebody switched it on. */
  readonly switchedOn?: boolean
}

const runs: Judged = {}

/** Why a hook is out whatever the call is about, or nothing. What somebody said by hand goes over what the hook says of itself. */
const switched = ({ hook, withheld }: Registered, input: PlanInput, asking: Asking): Judged => {
  if (withheld !== undefined) return { reason: withheld }
  const said = input.past?.switched(hook.name, asking)
  if (said === undefined ? hook.enabled === false : !said.enabled)
    return said === undefined ? { reason: "disabled" } : { reason: said.reason, by: "switch" }
  if (hook.agents && !hook.agents.includes(input.agent as never)) return { reason: `not for ${input.agent}` }
  return hook.enabled === false ? { switchedOn: true } : runs
}

/** Whether nothing of it can go on for ever; what comes with hooktape is known to come to an end. */
const isQuick = ({ command, matches, toolName }: When, source: string, { tool }: PlanInput): boolean =>
  (matches === undefined || isShippedSource(source)) &&
  (!(command instanceof RegExp) || endsByItself(command, tool?.command)) &&
  (!(toolName instanceof RegExp) || endsByItself(toolName, tool?.name))

/** The hook's own predicate, asked last. */
const asked = ({ hook, source }: Registered, event: string, nth: number, input: PlanInput): Judged => {
  const { when } = hook
  // Of a file that does not load the predicate is lost: the hook runs, and fails in its place.
  if (typeof when?.matches !== "function" || input.context === undefined) return runs
  try {
    const answer: unknown = when.matches(input.context(hook, event, nth, isShippedSource(source)) as never)
    if (answer === true) return runs
    if (answer === false) return { reason: "when: matches said no" }
    return { undecidable: "its condition answered neither true nor false" }
  } catch (error) {
    if (error instanceof SpunTooLong) throw error
    // Whatever was thrown may refuse to become text.
    return { undecidable: `its condition failed: ${errorOf(asError(error)).message}` }
  }
}

/** What cannot work here is left out; of a guard nobody can tell what it would have said. */
const lacked = ({ hook, lacking }: Registered): Judged => {
  if (lacking === undefined) return runs
  return (hook.onFailure ?? "allow") === "allow"
    ? { reason: lacking, by: "directory" }
    : { undecidable: lacking }
}

export const judged = (
  registered: Registered,
  event: string,
  nth: number,
  input: PlanInput,
  asking: Asking
): Judged => {
  const so = switched(registered, input, asking)
  const { when } = registered.hook
  if (so.reason !== undefined) return so
  const lack = lacked(registered)
  if (when === undefined) return { ...so, ...lack }
  const judge = (): Judged => {
    const reason = mismatch(when, input)
    if (reason !== undefined) return { reason }
    return lack.reason === undefined ? { ...so, ...asked(registered, event, nth, input), ...lack } : lack
  }
  if (input.watch === undefined || isQuick(when, registered.source, input)) return judge()
  try {
    return input.watch(judge)
  } catch (error) {
    if (error instanceof SpunTooLong) return { undecidable: "its condition took too long on this input" }
    throw error
  }
}
