/** The machines with the facts that take them everywhere: what exploring and drawing them starts from. */
import type {
  BreakerFact,
  HandlerProcessFact,
  HostFact,
  InvocationFact,
  JobFact,
  SessionFact
} from "../../events/facts.ts"
import { breaker } from "../../machines/breaker.ts"
import { type ChainContext, type ChainSign, chain } from "../../machines/chain.ts"
import { handlers } from "../../machines/handlers.ts"
import { host } from "../../machines/host.ts"
import { type InvocationContext, invocation } from "../../machines/invocation.ts"
import { type JobContext, job } from "../../machines/job.ts"
import { session } from "../../machines/session.ts"
import { explore } from "./explore.ts"
import * as fact from "./facts.ts"
import * as jobFact from "./jobs/facts.ts"

const one = fact.plannedHandler("one", 0)
/** Tried again, twice at most. */
const again = fact.plannedHandler("one", 0, { retry: { attempts: 2, delayMs: 1 } })
const two = fact.plannedHandler("two", 1)

/** At least one fact of every type: a type that is missing here does not compile. */
const invocationFacts: Readonly<Record<InvocationFact["type"], readonly InvocationFact[]>> = {
  INVOCATION_OPENED: [fact.opened()],
  PAYLOAD_BUFFERED: [fact.buffered()],
  PAYLOAD_REJECTED: [fact.rejected("empty")],
  HANDLERS_PLANNED: [fact.planned([]), fact.planned([one]), fact.planned([one, two]), fact.planned([again])],
  HANDLER_STARTED: [fact.started(one), fact.started(one, 2), fact.started(two)],
  HANDLER_SUCCEEDED: [fact.succeeded(one), fact.succeeded(two)],
  HANDLER_FAILED: [fact.failed(one), { ...fact.failed(one), attempt: 2 } as InvocationFact, fact.failed(two)],
  HANDLER_TIMED_OUT: [fact.timedOut(one), fact.timedOut(two)],
  HANDLER_SKIPPED: [fact.skipped(one), fact.skipped(two)],
  NOISE_CAPTURED: [fact.noise("stdout", ""), fact.noise("stderr", "")],
  SERVICE_CALLED: [fact.called(one)],
  REPLY_DELIVERED: [fact.delivered()],
  DELIVERY_FAILED: [fact.undelivered()],
  EXITED: [fact.exited()]
}

const breakerFacts: Readonly<Record<BreakerFact["type"], readonly BreakerFact[]>> = {
  HOST_UNREACHABLE: [3, 10].map((threshold) => ({
    type: "HOST_UNREACHABLE",
    threshold,
    detail: "no socket"
  })),
  HOST_REACHED: [{ type: "HOST_REACHED" }]
}

const jobFacts: Readonly<Record<JobFact["type"], readonly JobFact[]>> = {
  JOB_ENQUEUED: [jobFact.enqueued({ maxAttempts: 2 }), jobFact.enqueued({ maxAttempts: 2, notBefore: 5 })],
  JOB_STARTED: [1, 2, 3].map((attempt) => jobFact.started(attempt)),
  JOB_SUCCEEDED: [1, 2, 3].map((attempt) => jobFact.succeeded(attempt)),
  JOB_FAILED: [1, 2, 3].flatMap((attempt) => [jobFact.failed(attempt, 10), jobFact.failed(attempt)]),
  JOB_RELEASED: [1, 2, 3].map((attempt) => jobFact.released(attempt)),
  JOB_DIED: [jobFact.died(1)],
  JOB_HELD: [jobFact.held()],
  JOB_DROPPED: [jobFact.dropped()],
  JOB_RETRIED: [jobFact.retried()]
}

const chainEnding = (shown: "proved" | "cleared") =>
  ({ at: 3, by: "npm test", toolUseId: "t3", shown, grade: "A", fix: [], flaky: false }) as const

const chainSigns: Readonly<Record<ChainSign["type"], readonly ChainSign[]>> = {
  PROBLEM_OBSERVED: [{ type: "PROBLEM_OBSERVED", sighting: { toolUseId: "t1", at: 1 }, effects: [] }],
  EFFECT_OBSERVED: [{ type: "EFFECT_OBSERVED", at: 2 }],
  PROBLEM_GONE: [
    { type: "PROBLEM_GONE", ending: chainEnding("proved"), effects: [] },
    { type: "PROBLEM_GONE", ending: chainEnding("cleared"), effects: [] }
  ],
  PROBLEM_SUPPRESSED: [{ type: "PROBLEM_SUPPRESSED", ending: chainEnding("proved"), effects: [] }],
  CHAIN_LEFT: [{ type: "CHAIN_LEFT", at: 4, why: "the session ended" }]
}

const hostFacts: Readonly<Record<HostFact["type"], readonly HostFact[]>> = {
  HOST_STARTED: [{ type: "HOST_STARTED", build: "1", pid: 1, runtime: "node" }],
  HOST_READY: [{ type: "HOST_READY", socket: "/s" }],
  HOST_DRAINING: [{ type: "HOST_DRAINING", reason: "idle" }],
  HOST_STOPPED: [{ type: "HOST_STOPPED", reason: "idle", served: 1 }]
}

const handlersFacts: Readonly<Record<HandlerProcessFact["type"], readonly HandlerProcessFact[]>> = {
  HANDLER_PROCESS_STARTED: [{ type: "HANDLER_PROCESS_STARTED", host: "1", pid: 1 }],
  HANDLER_PROCESS_TAKEN: [{ type: "HANDLER_PROCESS_TAKEN", build: "1" }],
  HANDLER_PROCESS_FREED: [{ type: "HANDLER_PROCESS_FREED", goodFor: "any" }],
  HANDLER_PROCESS_SPOILT: [{ type: "HANDLER_PROCESS_SPOILT", reason: "left something" }],
  HANDLER_PROCESS_ENDED: [{ type: "HANDLER_PROCESS_ENDED", reason: "it was ended" }]
}

const sessionFacts: Readonly<Record<SessionFact["type"], readonly SessionFact[]>> = {
  SESSION_OPENED: [{ type: "SESSION_OPENED", because: "session.start" }],
  SESSION_IDLED: [{ type: "SESSION_IDLED", because: "turn.stop" }],
  SESSION_RESUMED: [{ type: "SESSION_RESUMED", because: "prompt.submit" }],
  SESSION_ENDED: [{ type: "SESSION_ENDED", because: "session.end" }]
}

export const jobTypes = Object.keys(jobFacts) as readonly JobFact["type"][]

export const invocationTypes = Object.keys(invocationFacts) as readonly InvocationFact["type"][]

export const exploreInvocation = () =>
  explore(invocation, Object.values(invocationFacts).flat(), ({ value, context }) => {
    const { phase, queue, current, retrying, running } = context as InvocationContext
    const trying = queue.map(({ index, retry }) => [index, retry?.attempts])
    return JSON.stringify([value, phase, trying, current ?? null, running?.spentMs, retrying?.attempt])
  })

export const exploreBreaker = () =>
  explore(breaker, Object.values(breakerFacts).flat(), ({ value, context }) =>
    // Past the threshold more of the same decides nothing.
    JSON.stringify([value, Math.min((context as { consecutive: number }).consecutive, 4)])
  )

export const exploreJob = () =>
  explore(job, Object.values(jobFacts).flat(), ({ value, context }) => {
    const { attempts, enqueued, failures, owner, until } = context as JobContext
    return JSON.stringify([value, attempts, failures, enqueued?.maxAttempts, owner !== undefined, until])
  })

export const exploreChain = () =>
  explore(chain, Object.values(chainSigns).flat(), ({ value, context }) => {
    const { attempts, ending, sightings } = context as ChainContext
    return JSON.stringify([value, sightings.length > 0, attempts.length > 0, ending?.shown])
  })

export const exploreHost = () =>
  explore(host, Object.values(hostFacts).flat(), ({ value }) => JSON.stringify(value))

export const exploreHandlers = () =>
  explore(handlers, Object.values(handlersFacts).flat(), ({ value }) => JSON.stringify(value))

export const exploreSession = () =>
  explore(session, Object.values(sessionFacts).flat(), ({ value }) => JSON.stringify(value))

/** Each machine, with what leads everywhere and every fact that it may meet there. */
export const everywhere = [
  { machine: invocation, explored: exploreInvocation, facts: Object.values(invocationFacts).flat() },
  { machine: breaker, explored: exploreBreaker, facts: Object.values(breakerFacts).flat() },
  { machine: job, explored: exploreJob, facts: Object.values(jobFacts).flat() },
  { machine: chain, explored: exploreChain, facts: Object.values(chainSigns).flat() },
  { machine: host, explored: exploreHost, facts: Object.values(hostFacts).flat() },
  { machine: handlers, explored: exploreHandlers, facts: Object.values(handlersFacts).flat() },
  { machine: session, explored: exploreSession, facts: Object.values(sessionFacts).flat() }
]
