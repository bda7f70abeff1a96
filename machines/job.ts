/** Work that goes on after the reply: which attempt is due, when the next one is, and when to give up. */
import { assign, setup } from "xstate"
import type { JobFact } from "../events/facts.ts"
import type { Machine } from "./step.ts"

export type Enqueued = Extract<JobFact, { type: "JOB_ENQUEUED" }>
type Failed = Extract<JobFact, { type: "JOB_FAILED" }>

/** What the machine asks of the queue. */
export type JobCommand =
  /** The attempt may begin as soon as there is room. */
  | { readonly type: "START"; readonly attempt: number }
  /** The same, but not before that time. */
  | { readonly type: "WAIT"; readonly until: number; readonly attempt: number }
  /** It has begun, after so many failures. `last`: none follows if it fails as well. */
  | {
      readonly type: "RUN"
      readonly attempt: number
      readonly failures: number
      readonly last: boolean
      readonly enqueued: Enqueued
    }
  | { readonly type: "BURY"; readonly attempts: number; readonly error: Failed["error"] }

/** Who runs an attempt, and until when that can be believed. */
export interface Owner {
  readonly host: string
  readonly pid: number
  readonly until: number
}

export interface JobContext {
  readonly enqueued: Enqueued | undefined
  /** How many have begun: no two have the same number. */
  readonly attempts: number
  /** How many failed since it was enqueued or somebody wanted it again. */
  readonly failures: number
  readonly owner: Owner | undefined
  /** What the next attempt waits for. */
  readonly until: number | undefined
  readonly error: Failed["error"] | undefined
  /** Why it cannot begin yet, or is not wanted any more. */
  readonly reason?: string | undefined
}

const isLast = ({ failures, enqueued }: JobContext): boolean => failures + 1 >= (enqueued?.maxAttempts ?? 1)

/** Asks for something, by what the context is after the actions before it. */
const ask = (command: (context: JobContext) => JobCommand) =>
  ({
    type: "command",
    params: ({ context }: { context: JobContext }): JobCommand => command(context)
  }) as const

const start = ask(({ attempts }) => ({ type: "START", attempt: attempts + 1 }))
const wait = ask(({ attempts, until }) => ({ type: "WAIT", until: until ?? 0, attempt: attempts + 1 }))
// Neither is asked for before the job was enqueued, or before it has failed.
const run = ask((context) => ({
  type: "RUN",
  attempt: context.attempts,
  failures: context.failures,
  last: isLast(context),
  enqueued: context.enqueued as Enqueued
}))
const bury = ask(({ attempts, error }) => ({ type: "BURY", attempts, error: error as Failed["error"] }))

const machine = setup({
  types: {} as { context: JobContext; events: JobFact },
  actions: {
    command: (_, _command: JobCommand) => {
      throw new Error("a command is interpreted by the driver, never executed by the machine")
    },
    enqueue: assign(({ event }) =>
      event.type === "JOB_ENQUEUED" ? { enqueued: event, until: event.notBefore } : {}
    ),
    begin: assign(({ event }) =>
      event.type === "JOB_STARTED"
        ? {
            attempts: event.attempt,
            owner: { host: event.host, pid: event.pid, until: event.until },
            until: undefined,
            reason: undefined
          }
        : {}
    ),
    settle: assign({ owner: undefined, error: undefined }),
    release: assign({ owner: undefined, until: undefined }),
    fail: assign(({ context, event }) =>
      event.type === "JOB_FAILED"
        ? {
            failures: context.failures + 1,
            owner: undefined,
            until: event.retryAt,
            error: event.error
          }
        : {}
    ),
    leave: assign(({ event }) =>
      event.type === "JOB_HELD" || event.type === "JOB_DROPPED" ? { reason: event.reason } : {}
    ),
    renew: assign({ failures: 0, until: undefined, reason: undefined })
  },
  guards: {
    isNew: ({ context }) => context.enqueued === undefined,
    isNewAndDue: ({ context, event }) =>
      context.enqueued === undefined && event.type === "JOB_ENQUEUED" && event.notBefore === undefined,
    isNext: ({ context, event }) =>
      context.enqueued !== undefined && "attempt" in event && event.attempt === context.attempts + 1,
    isCurrent: ({ context, event }) =>
      context.owner !== undefined && "attempt" in event && event.attempt === context.attempts,
    isWorthRetrying: ({ context, event }) =>
      context.owner !== undefined &&
      event.type === "JOB_FAILED" &&
      event.attempt === context.attempts &&
      event.retryAt !== undefined &&
      !isLast(context),
    isSpent: ({ context }) => context.owner === undefined,
    isEnqueued: ({ context }) => context.enqueued !== undefined,
    isEnqueuedAndDue: ({ context }) => context.enqueued !== undefined && context.until === undefined
  }
}).createMachine({
  id: "job",
  initial: "queued",
  context: {
    enqueued: undefined,
    attempts: 0,
    failures: 0,
    owner: undefined,
    until: undefined,
    error: undefined
  },
  states: {
    queued: {
      on: {
        JOB_ENQUEUED: [
          { guard: "isNewAndDue", actions: ["enqueue", start] },
          { guard: "isNew", actions: ["enqueue", wait] }
        ],
        JOB_STARTED: { guard: "isNext", target: "running", actions: ["begin", run] },
        JOB_HELD: [
          { guard: "isEnqueuedAndDue", actions: ["leave", start] },
          { guard: "isEnqueued", actions: ["leave", wait] }
        ],
        JOB_DROPPED: { guard: "isEnqueued", target: "dropped", actions: "leave" }
      }
    },
    running: {
      on: {
        JOB_SUCCEEDED: { guard: "isCurrent", target: "done", actions: "settle" },
        JOB_FAILED: [
          { guard: "isWorthRetrying", target: "waiting", actions: ["fail", wait] },
          { guard: "isCurrent", actions: ["fail", bury] }
        ],
        JOB_RELEASED: { guard: "isCurrent", target: "queued", actions: ["release", start] },
        JOB_DIED: { guard: "isSpent", target: "dead" }
      }
    },
    waiting: {
      on: {
        JOB_STARTED: { guard: "isNext", target: "running", actions: ["begin", run] },
        JOB_HELD: { actions: ["leave", wait] },
        JOB_DROPPED: { target: "dropped", actions: "leave" },
        JOB_RETRIED: { target: "queued", actions: ["renew", start] }
      }
    },
    done: { type: "final" },
    dead: { on: { JOB_RETRIED: { target: "queued", actions: ["renew", start] } } },
    dropped: { on: { JOB_RETRIED: { target: "queued", actions: ["renew", start] } } }
  }
})

export const job: Machine<JobFact, JobCommand> = { id: "job", definition: machine }
