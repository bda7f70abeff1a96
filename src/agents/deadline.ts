/** How long a hook call may take, whichever way it comes in. */

/** Above an agent's own time-out there is nothing to answer to; the shortest of these is a session's end. */
const deadlines: Readonly<Record<string, number>> = {
  SessionEnd: 1000,
  sessionEnd: 1000,
  Interrupt: 1000
}
const defaultDeadlineMs = 5000

export const isShort = (agentEvent: string): boolean => Object.hasOwn(deadlines, agentEvent)

/** Of one call, with what its build's settings say. */
export const deadlineOf = (
  agentEvent: string,
  { deadlineMs = defaultDeadlineMs }: { readonly deadlineMs?: number }
): number => Math.min(deadlineMs, isShort(agentEvent) ? (deadlines[agentEvent] ?? deadlineMs) : deadlineMs)

/** A rebuild takes about half a second. A hook call waits for it this long, then goes on with the build there is. */
export const patienceOf = (agentEvent: string): number => (isShort(agentEvent) ? 1200 : 3000)
