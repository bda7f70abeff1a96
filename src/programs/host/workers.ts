/** The processes that run handlers: one invocation each at a time, of whichever project; none before it is needed, and none for long after. */
import type { GoodFor } from "./messages.ts"
import type { HandlerWorker } from "./worker.ts"

export interface Workers {
  /** The same at once, where one is free that has loaded the build. */
  readonly takeFree: (build: string) => HandlerWorker | undefined
  /** For one invocation of a build. `leaving`: so many are kept for others. Rejects when none came free within the time. */
  readonly take: (build: string, withinMs: number, leaving?: number) => Promise<HandlerWorker>
  /** Back when the invocation is done with it. */
  readonly give: (build: string, worker: HandlerWorker, goodFor: GoodFor) => void
  readonly close: () => void
  readonly count: () => number
}

export interface WorkersOptions {
  readonly start: () => HandlerWorker
  readonly most: number
  /** How long a call waits for a busy process before another one is started for it. */
  readonly patienceMs?: number
  readonly idleMs?: number
}

interface Free {
  /** The build that it served last. */
  readonly build: string
  readonly worker: HandlerWorker
  readonly goodFor: GoodFor
  readonly end: NodeJS.Timeout
}

interface Waiter {
  readonly build: string
  readonly leaving: number
  readonly serve: (worker: HandlerWorker) => void
}

/** Past this much of handlers' output its files are a burden. */
const maxNoise = 16 * 1024 * 1024

export const makeWorkers = ({ start, most, patienceMs = 15, idleMs = 60_000 }: WorkersOptions): Workers => {
  let free: readonly Free[] = []
  const busy = new Set<HandlerWorker>()
  let waiters: readonly Waiter[] = []
  let closed = false

  const leave = (one: Free): HandlerWorker => {
    clearTimeout(one.end)
    free = free.filter((other) => other !== one)
    return one.worker
  }

  const use = (build: string, worker: HandlerWorker): HandlerWorker => {
    busy.add(worker)
    worker.life?.taken(build)
    return worker
  }

  /** The one that served the build last has it loaded; any other that is whole can load it. */
  const freeFor = (build: string): HandlerWorker | undefined => {
    for (const one of free) if (one.worker.isGone()) leave(one)
    const found =
      free.findLast((one) => one.build === build) ?? free.findLast(({ goodFor }) => goodFor === "any")
    return found && leave(found)
  }

  /** A new one, as long as there may be more; one that is free and of no use for the build goes for it. */
  const fresh = (): HandlerWorker | undefined => {
    const [oldest] = free
    if (busy.size + free.length >= most) {
      if (oldest === undefined) return undefined
      leave(oldest).kill()
    }
    return start()
  }

  /** Why nothing may follow in it. */
  const unfit = (worker: HandlerWorker, goodFor: GoodFor): string | undefined => {
    if (goodFor === "none") return "what ran in it left something behind, or did not come to its end"
    if (closed) return "the host ends"
    return worker.noiseBytes() > maxNoise ? "its handlers have written too much" : undefined
  }

  /** Of a single one nothing can be left. */
  const mayTake = (leaving: number): boolean => busy.size < Math.max(1, most - leaving)

  return {
    takeFree: (build) => {
      const found = free.findLast((one) => one.build === build && !one.worker.isGone())
      return found && use(build, leave(found))
    },
    take: (build, withinMs, leaving = 0) =>
      new Promise((resolve, reject) => {
        const there = mayTake(leaving)
          ? (freeFor(build) ?? (busy.size === 0 ? fresh() : undefined))
          : undefined
        if (there) return resolve(use(build, there))
        const forget = () => {
          clearTimeout(hurry)
          clearTimeout(limit)
          waiters = waiters.filter((one) => one !== waiter)
        }
        const waiter: Waiter = {
          build,
          leaving,
          serve: (worker) => {
            forget()
            resolve(use(build, worker))
          }
        }
        const hurry = setTimeout(() => {
          const another = mayTake(leaving) ? fresh() : undefined
          if (another) waiter.serve(another)
        }, patienceMs)
        const limit = setTimeout(() => {
          forget()
          reject(new Error("every process that runs handlers is busy"))
        }, withinMs)
        waiters = [...waiters, waiter]
      }),
    give: (build, worker, goodFor) => {
      busy.delete(worker)
      const why = unfit(worker, goodFor)
      if (worker.life && !worker.isGone())
        worker.life.cameBack(why === undefined ? goodFor : "none", why ?? "")
      if (why !== undefined) worker.kill()
      const isWhole = !worker.isGone()
      const able = waiters.filter(({ leaving }) => mayTake(leaving))
      const next =
        able.find((one) => one.build === build) ?? (isWhole && goodFor === "any" ? able[0] : undefined)
      if (isWhole && next) return next.serve(worker)
      if (isWhole) {
        const one: Free = { build, worker, goodFor, end: setTimeout(() => leave(one).kill(), idleMs).unref() }
        free = [...free, one]
      }
      const [first] = able
      const another = first && !closed ? fresh() : undefined
      if (another) first?.serve(another)
    },
    close: () => {
      closed = true
      for (const one of free) leave(one).kill()
      for (const worker of busy) worker.kill()
    },
    count: () => busy.size + free.length
  }
}

/** The same for work that nobody waits for: it never takes the last of them. */
export const leavingOne = (workers: Workers): Workers => ({
  ...workers,
  take: (build, withinMs) => workers.take(build, withinMs, 1)
})
