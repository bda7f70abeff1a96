/** Runs jobs: so many at a time, one per key, again after a failure, and after a crash whatever was left. */
import { randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberMap from "effect/FiberMap"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Owner } from "../../machines/job.ts"
import type { EventLog, EventLogError } from "../log/EventLog.ts"
import { makeBell } from "../log/tail.ts"
import { isAlive } from "../state/isAlive.ts"
import { endingMs, perform } from "./attempt.ts"
import { type BackOff, defaultBackOff, delayAfter } from "./backOff.ts"
import { type Bounds, defaultBounds, excessOf } from "./bounds.ts"
import { makeJobBook } from "./jobBook.ts"
import { contextOf, type JobObserver, type OpenJob, ownerOf } from "./openJobs.ts"
import type { Runner } from "./Runner.ts"
import type { IsWanted } from "./Wanted.ts"

export interface QueueOptions {
  /** Kind → who runs it. A job of another kind is left as it is. */
  readonly runners: Readonly<Record<string, Runner>>
  /** Asked before each attempt. Default: all are. */
  readonly isWanted?: IsWanted
  /** How many run at a time. Default 4. */
  readonly concurrency?: number
  /** How many may wait: what is over is dropped, and the log says why. */
  readonly bounds?: Bounds
  readonly backOff?: Partial<BackOff>
  /** Whether whoever began an attempt may still be at it. */
  readonly isAlive?: (owner: Owner) => boolean
  /** Told of each fact of a job. */
  readonly observe?: JobObserver
  /** Hears of what cannot be recorded, such as a log that cannot be written. */
  readonly report?: (problem: string) => Effect.Effect<void>
}

export interface Queue {
  /** Random name under which this queue begins attempts. */
  readonly host: string
  /** Those that are not over. */
  readonly open: () => Iterable<OpenJob>
  readonly counts: () => { readonly queued: number; readonly running: number; readonly waiting: number }
  /** Whether there is anything to do now or at a time that is known. What is held up or has no runner is not. */
  readonly isBusy: () => boolean
  /** Ends once nothing that is on the log is left to do, later attempts included. */
  readonly idle: Effect.Effect<void, EventLogError>
  /** Begins nothing more, waits so long for what runs, then gives it back to whoever comes next. */
  readonly stop: (withinMs: number) => Effect.Effect<void>
}

const defaultConcurrency = 4

/** How often to look whether those who run the other jobs are still there. */
const lookMs = 5000

/** How often to look whether what held a job up is over. */
const holdMs = 10_000

/** How long a queue waits that could not read or write. */
const pauseMs = 10_000

/** A host whose clock or whose ending is slow keeps its job so much longer. */
const leewayMs = 60_000

/** A timer that is set further ahead than some weeks goes off at once. */
const longestSleepMs = 3_600_000

/** A process with the id of this one is one that had it before. */
const othersAlive = ({ pid }: Owner): boolean => pid !== process.pid && isAlive(pid)

const gone = { name: "HostGone", message: "the host that ran it is gone" }

/** Lives as long as its scope. */
export const makeQueue = Effect.fn("jobs.makeQueue")(function* (
  options: QueueOptions
): Effect.fn.Return<Queue, EventLogError, EventLog | Scope.Scope> {
  const { concurrency = defaultConcurrency, report = () => Effect.void, runners } = options
  const { bounds = defaultBounds } = options
  const { isAlive: alive = othersAlive, isWanted } = options
  const backOff = { ...defaultBackOff, ...options.backOff }
  const host = randomUUID()
  const bell = makeBell()
  const { catchUp, catchUpAll, listen, open, record, save } = yield* makeJobBook(options.observe)
  const fibers = yield* FiberMap.make<string>()
  /** What this queue has taken on, by stream. */
  const taken = new Set<string>()
  /** What cannot begin before some time, by stream. */
  const held = new Map<string, number>()
  let stopping = false

  const runnerOf = (job: OpenJob): Runner | undefined => {
    const kind = contextOf(job).enqueued?.kind ?? ""
    return Object.hasOwn(runners, kind) ? runners[kind] : undefined
  }

  const pausing = (cause: Cause.Cause<EventLogError>) =>
    Effect.zipRight(report(`the job queue: ${(Cause.squash(cause) as Error).message}`), Effect.sleep(pauseMs))

  /** Whether the attempt may begin. Where it may not, the log says why. */
  const isToBegin = Effect.fnUntraced(function* (job: OpenJob) {
    const { enqueued, reason } = contextOf(job)
    const answer = enqueued && isWanted ? yield* isWanted(enqueued, job.marks) : undefined
    if (answer?.is === "dropped") yield* record(job.stream, { type: "JOB_DROPPED", reason: answer.reason })
    if (answer?.is === "held") {
      held.set(job.stream, (yield* Clock.currentTimeMillis) + holdMs)
      if (answer.reason !== reason) yield* record(job.stream, { type: "JOB_HELD", reason: answer.reason })
    } else held.delete(job.stream)
    return answer === undefined || answer.is === "wanted"
  })

  /** From its beginning on the log to its outcome there. Interrupted in between it is given back. */
  const attempt = (job: OpenJob, run: Runner) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        if (!(yield* restore(isToBegin(job)))) return
        const { attempts, enqueued } = contextOf(job)
        const now = yield* Clock.currentTimeMillis
        const until = now + (enqueued?.deadlineMs ?? 0) + endingMs + leewayMs
        const number = attempts + 1
        const started = yield* record(job.stream, {
          type: "JOB_STARTED",
          attempt: number,
          host,
          pid: process.pid,
          until
        })
        if (Option.isNone(started)) return
        // Other queues began others of its key meanwhile; whoever was first on the log goes on.
        yield* catchUp(started.value.position)
        const begun = open.get(job.stream)
        if (begun?.command?.type !== "RUN" || begun.command.attempt !== number) return
        const release = (reason: string) =>
          record(job.stream, { type: "JOB_RELEASED", attempt: number, reason })
        if (open.isBarred(begun)) return yield* release("another job of its key runs")
        const exit = yield* Effect.exit(restore(perform(run, begun.command, backOff)))
        const told = yield* Exit.isSuccess(exit) ? record(job.stream, exit.value) : release("the host stops")
        if (Option.isNone(told))
          yield* report(`job ${job.job}: attempt ${number} ended after it was given up`)
      }).pipe(Effect.catchAllCause((cause) => restore(pausing(cause))))
    )

  const begin = (job: OpenJob, run: Runner) => {
    taken.add(job.stream)
    const ended = Effect.zipRight(
      Effect.sync(() => taken.delete(job.stream)),
      bell.ring
    )
    return FiberMap.run(fibers, job.stream, Effect.ensuring(attempt(job, run), ended))
  }

  /** What hosts that are gone left behind. */
  const takeOver = Effect.fnUntraced(function* (now: number) {
    for (const job of open.begun()) {
      const { command } = job
      if (taken.has(job.stream)) continue
      if (command?.type === "BURY") {
        const { attempts, error } = command
        yield* record(job.stream, { type: "JOB_DIED", attempts, error })
      } else if (command?.type === "RUN") {
        const { attempt, failures, last } = command
        const owner = ownerOf(job)
        if (owner && owner.host !== host && now <= owner.until && alive(owner)) continue
        const retryAt = last ? {} : { retryAt: now + (yield* delayAfter(failures + 1, backOff)) }
        yield* record(job.stream, { type: "JOB_FAILED", attempt, error: gone, ...retryAt })
      }
    }
  })

  const isHeld = (job: OpenJob, now: number): boolean => (held.get(job.stream) ?? 0) > now
  const isTaken = (job: OpenJob): boolean => taken.has(job.stream) || runnerOf(job) === undefined

  const isWaiting = (job: OpenJob): boolean =>
    (job.command?.type === "START" || job.command?.type === "WAIT") && !isTaken(job)

  const keepBounds = Effect.suspend(() =>
    Effect.forEach(
      excessOf([...open.values()].filter(isWaiting), bounds),
      ({ job, reason }) => record(job.stream, { type: "JOB_DROPPED", reason }),
      { discard: true }
    )
  )

  const heldUntil = (now: number): number => {
    let until = Number.POSITIVE_INFINITY
    for (const [stream, at] of held)
      if (open.get(stream) === undefined) held.delete(stream)
      else if (at > now) until = Math.min(until, at)
    return until
  }

  const schedule = Effect.gen(function* () {
    let lookAt = 0
    const round = Effect.gen(function* () {
      // Taken before looking, so that what happens meanwhile still wakes us.
      const rung = bell.next()
      const now = yield* Clock.currentTimeMillis
      if (now >= lookAt) {
        yield* takeOver(now)
        yield* save(false)
        lookAt = now + lookMs
      }
      if (!stopping) yield* keepBounds
      while (taken.size < concurrency && !stopping) {
        const job = open.next(now, (one) => isTaken(one) || isHeld(one, now))
        const run = job && runnerOf(job)
        if (!job || !run) break
        yield* begin(job, run)
      }
      const due = taken.size < concurrency ? Math.min(open.dueAt(), heldUntil(now)) : Number.POSITIVE_INFINITY
      const look = open.running() > taken.size ? lookAt : Number.POSITIVE_INFINITY
      const sleepMs = Math.min(Math.max(0, Math.min(due, look) - now), longestSleepMs)
      yield* Effect.raceFirst(rung, Effect.sleep(sleepMs))
    })
    while (!stopping) yield* Effect.catchAllCause(round, pausing)
  })

  yield* catchUpAll
  yield* Effect.forkScoped(Effect.forever(Effect.catchAllCause(listen(bell.ring), pausing)))
  yield* Effect.forkScoped(schedule)

  const isLeft = (): boolean => {
    for (const job of open.values()) if (runnerOf(job) !== undefined) return true
    return taken.size > 0
  }

  const until = (isSo: () => boolean): Effect.Effect<void> =>
    Effect.suspend(() => {
      const rung = bell.next()
      return isSo() ? Effect.void : Effect.zipRight(rung, until(isSo))
    })

  return {
    host,
    open: open.values,
    counts: open.counts,
    isBusy: () => {
      const { running, waiting } = open.counts()
      const isIdle = (job: OpenJob) => isTaken(job) || held.has(job.stream)
      return taken.size + running + waiting > 0 || open.next(0, isIdle) !== undefined
    },
    idle: Effect.zipRight(
      catchUpAll,
      until(() => !isLeft())
    ),
    stop: Effect.fn("Queue.stop")(function* (withinMs: number) {
      stopping = true
      yield* bell.ring
      // Also where whoever stops it is not to be interrupted: the limit would wait for the jobs then.
      const done = Effect.interruptible(until(() => taken.size === 0))
      yield* Effect.timeoutOption(done, withinMs)
      yield* FiberMap.clear(fibers)
      yield* Effect.catchAll(save(true), ({ message }) => report(`the job queue: ${message}`))
    })
  }
})
