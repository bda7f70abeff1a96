/** What the host does beside answering: takes in what was spooled, and keeps the state bounded. */
import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { EventLog, type EventLogShape } from "../../log/EventLog.ts"
import { lookAgainMs } from "../../log/lookAgain.ts"
import { ingest } from "../../log/spool/ingest.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { upkeep } from "../../log/upkeep.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { namesIn } from "../../state/namesIn.ts"
import { shippedUpTo } from "../../tools/shipping/position.ts"

export interface Upkeep {
  readonly begin: () => void
  /** For a call that came just now: what others left before it is taken in first. Undefined once nobody can be leaving any more. */
  readonly caughtUp: () => Promise<unknown> | undefined
  /** Whether anything may lie in the spool that is not taken in: a look, mostly without reading it. */
  readonly hasMore: () => boolean
  readonly end: () => Promise<void>
}

export interface UpkeepOptions {
  readonly state: string
  readonly source: string
  readonly log: EventLogShape
  /** Handles the calls that were left behind. */
  readonly handleDeferredCalls: () => Promise<unknown>
  /** The file of the spool that the host itself writes and takes in. */
  readonly own?: () => string | undefined
  /** Done after each round, in no more time than a call may be kept waiting; whether there was something to do. */
  readonly besides?: () => boolean
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

export const makeUpkeep = (options: UpkeepOptions): Upkeep => {
  const {
    state,
    source,
    log,
    handleDeferredCalls,
    own = () => undefined,
    besides,
    everyMs = 100,
    idleEveryMs = 2000,
    retainEveryMs = 3_600_000,
    patienceMs = 500,
    leavingMs = 10_000
  } = options
  const within = <A, E>(effect: Effect.Effect<A, E, EventLog>): Promise<unknown> =>
    Effect.runPromiseExit(Effect.provideService(effect, EventLog, log))
  const spool = spoolDirectory(state)
  const glance = makeGlance(spool, own)
  const hasFacts = () => namesIn(spool).some((name) => /\.(?:ndjson|open)$/.test(name) && name !== own())
  let timer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let began = 0
  let retained = 0
  let ended = false

  const ingestSpool = async (): Promise<void> => {
    if (ended || glance.isEmpty()) return
    // First: a call that was left may have been begun by a host that is gone.
    if (hasFacts()) await within(ingest(state, source, own()))
    await handleDeferredCalls()
  }
  /** One after the other: what is being taken in is not taken twice. */
  const take = (): Promise<unknown> => {
    last = last.then(ingestSpool)
    return last
  }
  const retainAgain = (): Promise<unknown> => {
    retained = monotonic()
    last = last.then(() => within(upkeep(state, source, shippedUpTo(state))))
    return last
  }
  let inVain = 0
  const goOn = async (): Promise<void> => {
    const isQuiet = glance.isEmpty()
    await take()
    if (!ended && monotonic() - retained >= retainEveryMs) await retainAgain()
    const hadMore = !ended && besides?.() === true
    inVain = isQuiet && !hadMore ? inVain + 1 : 0
    if (!ended) timer = setTimeout(goOn, lookAgainMs(everyMs, idleEveryMs, inVain))
  }

  return {
    begin: () => {
      began = monotonic()
      void retainAgain()
      void goOn()
    },
    caughtUp: () => {
      if (monotonic() - began > leavingMs) return undefined
      let limit: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => {
        limit = setTimeout(resolve, patienceMs)
      })
      return Promise.race([take(), late]).finally(() => clearTimeout(limit))
    },
    hasMore: () => !ended && !glance.isEmpty(),
    end: async () => {
      ended = true
      clearTimeout(timer)
      await last
    }
  }
}
