/** What the host does beside answering: takes in what was spooled, and keeps the state bounded. */
import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Scope from "effect/Scope"
import type { EventLog } from "../../log/EventLog.ts"
import { lookAgainMs } from "../../log/lookAgain.ts"
import { ingest } from "../../log/spool/ingest.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { upkeep } from "../../log/upkeep.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { namesIn } from "../../state/namesIn.ts"
import { shippedUpTo } from "../../tools/shipping/position.ts"

export interface Rounds {
  /** Handles the calls that were left behind. */
  readonly handleDeferredCalls: () => Promise<unknown>
  /** Done after each round, in no more time than a call may be kept waiting; whether there was something to do. */
  readonly besides?: () => boolean
}

export interface Upkeep {
  readonly begin: (rounds: Rounds) => Effect.Effect<void>
  /** For a call that came just now: what others left before it is taken in first. Undefined where there is nothing to wait for. */
  readonly caughtUp: () => Promise<unknown> | undefined
  /** Whether anything may lie in the spool that is not taken in: a look, mostly without reading it. */
  readonly hasMore: () => boolean
}

export interface UpkeepOptions {
  readonly state: string
  readonly source: string
  /** The file of the spool that the host itself writes and takes in. */
  readonly own?: () => string | undefined
  readonly everyMs?: number | undefined
  /** The same where nothing came for minutes. */
  readonly idleEveryMs?: number
  /** How often it is seen whether there is something to forget: a host may run for months. */
  readonly retainEveryMs?: number
  /** How long a call waits for those before it. */
  readonly patienceMs?: number
  /** A client that found no host may be leaving its call or handling it in process for this long. */
  readonly leavingMs?: number
}

/** A file may come within the tick of the clock in which the directory was read: its time then tells nothing. */
const tickMs = 100

/** Whether there can be anything in a directory, mostly without reading it: calls wait for the answer. */
const makeGlance = (directory: string, own: () => string | undefined) => {
  let empty = false
  let changed = Number.NaN
  return {
    isEmpty: (): boolean => {
      const at = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (empty && at === changed) return true
      const now = Date.now()
      // What is kept there for people, such as `errors`, is no work.
      empty = !namesIn(directory).some((name) => /\.(?:ndjson|open|frame)$/.test(name) && name !== own())
      changed = Math.abs(now - at) > tickMs ? at : Number.NaN
      return empty
    }
  }
}

/** Lives as long as its scope: what is being taken in when it closes is taken in to its end. */
export const makeUpkeep = Effect.fn("host.upkeep")(function* (
  options: UpkeepOptions
): Effect.fn.Return<Upkeep, never, EventLog | Scope.Scope> {
  const {
    state,
    source,
    own = () => undefined,
    everyMs = 100,
    idleEveryMs = 2000,
    retainEveryMs = 3_600_000,
    patienceMs = 500,
    leavingMs = 10_000
  } = options
  const scope = yield* Effect.scope
  const run = yield* FiberSet.makeRuntimePromise<EventLog>()
  const context = yield* Effect.context<EventLog>()
  /** One after the other: what is being taken in is not taken twice. Whatever fails is tried again in the next round. */
  const turn = yield* Effect.makeSemaphore(1)
  let turns = 0
  const inTurn = <A, E>(work: Effect.Effect<A, E, EventLog>) =>
    Effect.suspend(() => {
      turns++
      const taken = Effect.exit(turn.withPermits(1)(Effect.uninterruptible(work)))
      return Effect.ensuring(
        taken,
        Effect.sync(() => {
          turns--
        })
      )
    })
  const spool = spoolDirectory(state)
  const glance = makeGlance(spool, own)
  const isSurelyEmpty = (): boolean => {
    try {
      return glance.isEmpty()
    } catch {
      return false
    }
  }
  const hasFacts = () => namesIn(spool).some((name) => /\.(?:ndjson|open)$/.test(name) && name !== own())
  let rounds: Rounds | undefined
  let began = 0
  let retained = 0
  let ended = false

  const ingestSpool = Effect.gen(function* () {
    if (ended || glance.isEmpty()) return
    // First: a call that was left may have been begun by a host that is gone.
    if (hasFacts()) yield* Effect.exit(ingest(state, source, own()))
    yield* Effect.promise(async () => rounds?.handleDeferredCalls())
  })
  const retain = Effect.suspend(() => {
    retained = monotonic()
    return upkeep(state, source, shippedUpTo(state))
  })

  /** Whether there was anything to do. */
  const round = (first: Effect.Effect<unknown, unknown, EventLog>) =>
    Effect.gen(function* () {
      const isQuiet = yield* Effect.try(glance.isEmpty)
      yield* inTurn(Effect.zipRight(Effect.exit(first), ingestSpool))
      if (!ended && monotonic() - retained >= retainEveryMs) yield* inTurn(retain)
      const hadMore = yield* Effect.try(() => !ended && rounds?.besides?.() === true)
      return !isQuiet || hadMore
    })

  const goOn = Effect.gen(function* () {
    let inVain = 0
    let first: Effect.Effect<unknown, unknown, EventLog> = retain
    for (;;) {
      const wasBusy = yield* Effect.uninterruptible(Effect.orElseSucceed(round(first), () => false))
      first = Effect.void
      inVain = wasBusy ? 0 : inVain + 1
      yield* Effect.sleep(lookAgainMs(everyMs, idleEveryMs, inVain))
    }
  })

  yield* Effect.addFinalizer(() => turn.withPermits(1)(Effect.void))
  return {
    begin: Effect.fnUntraced(function* (given) {
      began = monotonic()
      rounds = given
      yield* Effect.forkIn(Effect.provide(goOn, context), scope)
      yield* Scope.addFinalizer(
        scope,
        Effect.sync(() => {
          ended = true
        })
      )
    }),
    caughtUp: () => {
      // A fiber costs more than all else of a call that has nothing to wait for.
      if (monotonic() - began > leavingMs || (turns === 0 && isSurelyEmpty())) return undefined
      return run(Effect.timeoutOption(Effect.disconnect(inTurn(ingestSpool)), patienceMs))
    },
    hasMore: () => !ended && !glance.isEmpty()
  }
})
