/** How long a hook call may take, whichever way it comes in. */

/** Above an agent's own time-out there is nothing to answer to; the shortest of these is a session's end. */
const deadlines: Readonly<Record<string, number>> = {
  SessionEnd: 1000,
  sessionEnd: 1000,
  Interrupt: 1000
}
/** Agents that wait for no hook as long as it may take elsewhere. Cline ends a run whose plugin is not through in 3 s. */
const impatient: Readonly<Record<string, number>> = { cline: 2000 }
const defaultDeadlineMs = 5000

export const isShort = (agentEvent: string): boolean => Object.hasOwn(deadlines, agentEvent)

/** Of an agent's call; `agent` is undefined for an event of our own. */
export interface Timed {
  readonly agent?: string | undefined
  readonly agentEvent: string
}

const limitOf = ({ agent = "", agentEvent }: Timed): number =>
  Math.min(
    Object.hasOwn(impatient, agent) ? (impatient[agent] ?? Infinity) : Infinity,
    isShort(agentEvent) ? (deadlines[agentEvent] ?? Infinity) : Infinity
  )

/** Even a call that comes late is looked at. */
const leastMs = 200

/**
 * Of one call, with what its build's settings say. `waitedMs`: since its client began. Where an agent gives up so early, the start of Node
 * and a rebuild are part of what it waits for, and a guard that has no time left says so while somebody listens.
 */
export const deadlineOf = (
  call: Timed,
  { deadlineMs = defaultDeadlineMs }: { readonly deadlineMs?: number },
  waitedMs = 0
): number => {
  const limit = Math.min(deadlineMs, limitOf(call))
  return Object.hasOwn(impatient, call.agent ?? "")
    ? Math.max(Math.min(leastMs, limit), limit - Math.round(waitedMs))
    : limit
}

/** What a call takes beyond its deadline that answers in time, on a machine that has much to do. Agents give up a second after that. */
const usualMarginMs = 4000
/** The same where the agent's own time-out is closer. */
const shortMarginMs = 1500
/** Beyond a deadline that a process should have kept itself. */
export const graceMs = 750

/**
 * How much longer than its deadline whoever outlives a call waits for it. `waitedMs`: since its client began, which the agent has waited
 * as well; where nothing is left of it, as long as is waited for a handler.
 */
export const marginOf = (call: Timed, waitedMs = 0): number => {
  if (Object.hasOwn(impatient, call.agent ?? "")) return graceMs
  return Math.max(graceMs, (isShort(call.agentEvent) ? shortMarginMs : usualMarginMs) - waitedMs)
}

/** A rebuild takes about half a second. A hook call waits for it this long, then goes on with the build there is. */
export const patienceOf = (call: Timed): number => (limitOf(call) === Infinity ? 3000 : 1200)
