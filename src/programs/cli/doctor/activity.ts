/** What the last day's log says of the hooks: those that fail, jobs that died, and invocations that never ended. */
import { basename } from "node:path"
import type { InvocationFact, JobFact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { count, shortId } from "../../../features/timeline/words.ts"
import { replacedBy } from "../../../history/calls.ts"
import { settled } from "../../../history/settled.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Check, ok, warn } from "./Check.ts"

export const activityTypes = [
  "INVOCATION_OPENED",
  "PAYLOAD_REJECTED",
  "HANDLER_SUCCEEDED",
  "HANDLER_FAILED",
  "HANDLER_TIMED_OUT",
  "DELIVERY_FAILED",
  "EXITED",
  "JOB_DIED",
  "JOB_RETRIED"
] as const

/** An invocation that began so short a time ago may still be at work. */
const graceMs = 60_000

/** Whether a hook is still among those that run there. */
export type Current = (hook: string, project: string | null) => boolean

interface Trouble {
  readonly handler: string
  readonly project: string | null
  readonly times: number
  readonly last: string
  readonly stream: string
}

const why = (fact: InvocationFact | JobFact): string | undefined => {
  if (fact.type === "HANDLER_FAILED") return fact.error.message
  return fact.type === "HANDLER_TIMED_OUT" ? `not done within ${fact.deadlineMs} ms` : undefined
}

const lookAt = (stream: string): string => `Look: hooktape show ${shortId(stream)}`

/** `facts` of the last day, of the types above. */
export const checkActivity = (
  facts: readonly Recorded[],
  now: number,
  isCurrent: Current = () => true
): readonly Check[] => {
  // What a host began and the entrypoint answered is one call, and it was answered.
  const replaced = replacedBy(facts)
  const open = new Map<string, number>()
  const troubles = new Map<string, Trouble>()
  const dead = new Map<string, string>()
  let undelivered: Recorded | undefined
  const rejected: { readonly stream: string; readonly detail: string }[] = []
  let invocations = 0
  let routed = 0
  /** Failures of hooks that run no more. */
  let removed = 0
  for (const recorded of settled(facts)) {
    if (!recorded.known) continue
    const fact = recorded.data as InvocationFact | JobFact
    const { stream, at, project } = recorded
    if (fact.type === "INVOCATION_OPENED") {
      invocations++
      if (fact.route === "client") routed++
      open.set(stream, at)
    } else if (fact.type === "EXITED") open.delete(stream)
    else if (fact.type === "PAYLOAD_REJECTED") rejected.push({ stream, detail: fact.detail })
    else if (fact.type === "JOB_DIED") dead.set(stream, fact.error.message)
    else if (fact.type === "JOB_RETRIED") dead.delete(stream)
    else if (fact.type === "DELIVERY_FAILED") {
      if (!replaced.has(stream)) undelivered = recorded
    } else if (fact.type === "HANDLER_FAILED" || fact.type === "HANDLER_TIMED_OUT") {
      const { handler } = fact
      // Whoever removed a hook that failed has done what there was to do.
      if (!isCurrent(handler, project)) {
        removed++
        continue
      }
      const key = JSON.stringify([project, handler])
      const times = (troubles.get(key)?.times ?? 0) + 1
      troubles.set(key, { handler, project, times, last: why(fact) ?? "", stream })
    }
  }
  const lost = [...open]
    .filter(([stream, at]) => now - at > graceMs && !replaced.has(stream))
    .map(([stream]) => stream)
  const newest = lost.at(-1)
  const checks: Check[] = [...troubles.values()].map(({ handler, project, times, last, stream }) =>
    warn(
      "handler",
      `the hook "${printable(handler)}"${project === null ? "" : ` of ${printable(basename(project))}`} failed ${times === 1 ? "once" : `${times} times`} in 24 h: ${printable(last)}`,
      lookAt(stream)
    )
  )
  if (newest !== undefined) {
    checks.push(warn("lost", `${count(lost.length, "invocation")} in 24 h never ended`, lookAt(newest)))
  }
  const lastRejected = rejected.at(-1)
  if (lastRejected !== undefined)
    checks.push(
      warn(
        "payload",
        `${count(rejected.length, "payload")} in 24 h could not be read, so no hook ran: ${printable(lastRejected.detail)}`,
        lookAt(lastRejected.stream)
      )
    )
  const [lastWords] = [...dead.values()].slice(-1)
  if (lastWords !== undefined) {
    checks.push(
      warn(
        "jobs",
        `${count(dead.size, "job")} in 24 h failed for good: ${printable(lastWords)}`,
        'Look: hooktape jobs list --state dead. "hooktape jobs retry" tries one again; a day after it failed it is not told of any more.'
      )
    )
  }
  if (undelivered)
    checks.push(
      warn("delivery", "a reply of the last 24 h did not reach the agent", lookAt(undelivered.stream))
    )
  return checks.length > 0
    ? checks
    : [
        ok(
          "activity",
          `${count(invocations, "invocation")} in 24 h${routed === 0 ? "" : `, ${routed} answered by the client alone`}, ${removed === 0 ? "none failed" : `${removed} failed by hooks that are gone`}, none lost`
        )
      ]
}
