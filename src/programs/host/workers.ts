/** The processes that run handlers: one invocation each at a time, one build each, and one to spare. */
import type { HandlerWorker } from "./worker.ts"

export interface Workers {
  /** The same at once, where one is free that has loaded the build. */
  readonly takeFree: (build: string) => HandlerWorker | undefined
  /** For one invocation of a build. Rejects when none came free within the time. */
  readonly take: (build: string, withinMs: number) => Promise<HandlerWorker>
  /** Back when the invocation is done with it; `reusable` where another may have it. */
  readonly give: (build: string, worker: HandlerWorker, reusable: boolean) => void
  /** Starts the spare one, so that the first call does not wait for it. */
  readonly prepare: () => void
  readonly close: () => void
  readonly count: () => number
}

export interface WorkersOptions {
  readonly start: () => HandlerWorker
  readonly most: number
  /** How long a call waits for a busy process of its build before another one is taken for it. */
  readonly patienceMs?: number
  readonly idleMs?: number
}

interface Waiter {
  readonly build: string
  readonly serve: (worker: HandlerWorker) => void
}

/** Past this much of handlers' output its files are a burden. */
const maxNoise = 16 * 1024 * 1024

export const makeWorkers = (options: WorkersOptions): Workers => {
  const { start, most, patienceMs = 15, idleMs = 300_000 } = options
  const idle: { readonly build: string; readonly worker: HandlerWorker; readonly since: number }[] = []
  const busy = new Map<HandlerWorker, string>()
  let waiters: Waiter[] = []
  let spare: HandlerWorker | undefined
  let closed = false

  const prepare = () => {
    if (closed || (spare && !spare.isGone())) return
    spare = start()
  }

  /** One that has loaded nothing, or a new one, as long as there may be more. */
  const fresh = (): HandlerWorker | undefined => {
    if (busy.size >= most) return undefined
    const ready = spare && !spare.isGone() ? spare : start()
    spare = undefined
    // Not on this call's time.
    setImmediate(prepare)
    return ready
  }

  const use = (build: string, worker: HandlerWorker): HandlerWorker => {
    busy.set(worker, build)
    return worker
  }

  const idleOne = (build: string): HandlerWorker | undefined => {
    for (let at = idle.length - 1; at >= 0; at--) {
      const one = idle[at]
      if (one?.build !== build) continue
      idle.splice(at, 1)
      if (!one.worker.isGone()) return one.worker
    }
    return undefined
  }

  const sweep = setInterval(() => {
    const now = Date.now()
    while (idle[0] !== undefined && now - idle[0].since > idleMs) idle.shift()?.worker.kill()
  }, 30_000)
  sweep.unref()

  return {
    prepare,
    takeFree: (build) => {
      const there = idleOne(build)
      return there && use(build, there)
    },
    take: (build, withinMs) =>
      new Promise((resolve, reject) => {
        const there = idleOne(build) ?? ([...busy.values()].includes(build) ? undefined : fresh())
        if (there) return resolve(use(build, there))
        const forget = () => {
          clearTimeout(hurry)
          clearTimeout(limit)
          waiters = waiters.filter((one) => one !== waiter)
        }
        const waiter: Waiter = {
          build,
          serve: (worker) => {
            forget()
            resolve(use(build, worker))
          }
        }
        const hurry = setTimeout(() => {
          const another = fresh()
          if (another) waiter.serve(another)
        }, patienceMs)
        const limit = setTimeout(() => {
          forget()
          reject(new Error("every process that runs handlers is busy"))
        }, withinMs)
        waiters.push(waiter)
      }),
    give: (build, worker, reusable) => {
      busy.delete(worker)
      if (closed || !reusable || worker.isGone() || worker.noiseBytes() > maxNoise) worker.kill()
      const next = waiters.find((one) => one.build === build) ?? waiters[0]
      const still = !worker.isGone()
      if (next && still && next.build === build) return next.serve(worker)
      if (next) {
        const another = fresh()
        if (another) next.serve(another)
      }
      if (!still) return
      idle.push({ build, worker, since: Date.now() })
      if (idle.length + busy.size > most) idle.shift()?.worker.kill()
    },
    close: () => {
      closed = true
      clearInterval(sweep)
      spare?.kill()
      for (const { worker } of idle.splice(0)) worker.kill()
      for (const worker of busy.keys()) worker.kill()
    },
    count: () => busy.size + idle.length + (spare && !spare.isGone() ? 1 : 0)
  }
}
