/** The thread that works for the host: shipped hooks that take their time, and projections. It runs nobody else's code. */
import { Worker } from "node:worker_threads"
import { makeMailbox } from "./mailbox.ts"
import type { FromWorker, ToWorker } from "./messages.ts"
import type { FromThread, ToThread } from "./threadMessages.ts"
import { type HandlerWorker, notWithin, WorkerGone } from "./worker.ts"
import type { Workers } from "./workers.ts"

export interface WorkThread extends Workers {
  /** Of each projection by its name: `ready`, or why it is off. */
  readonly states: () => Readonly<Record<string, string>>
  /** A moment in which nobody waits: it gives back the memory that it does not need. */
  readonly compact: () => void
}

export interface ThreadOptions {
  /** The compiled `threadMain`. */
  readonly program: string
  readonly state: string
  readonly note: (problem: string) => void
  /** After so long without any sign of life it is ended and started anew. */
  readonly silentMs?: number
}

interface Seat {
  readonly hear: (message: FromWorker) => void
  readonly leave: (reason: WorkerGone["reason"], message: string) => void
}

/** What a hook makes and drops is soon collected: megabytes. */
const youngMb = 4

/** A thread that is gone is not started again at once: what ended it may end the next. */
const againMs = 1000

export const makeThread = ({ note, program, silentMs = 5000, state }: ThreadOptions): WorkThread => {
  let worker: Worker | undefined
  let closed = false
  let count = 0
  let states: Readonly<Record<string, string>> = {}
  let silence: NodeJS.Timeout | undefined
  let later: NodeJS.Timeout | undefined
  const seats = new Map<number, Seat>()

  const post = (message: ToThread): void => worker?.postMessage(message)

  const ended = (one: Worker, why: string): void => {
    if (worker !== one) return
    worker = undefined
    startLater()
    clearTimeout(silence)
    silence = undefined
    if (!closed) note(`the thread that works for the host ended: ${why}`)
    for (const { leave } of [...seats.values()]) leave("ended", why)
  }

  const start = (): Worker => {
    clearTimeout(later)
    const one = new Worker(program, {
      argv: [state],
      stdin: false,
      env: { ...process.env },
      resourceLimits: { maxYoungGenerationSizeMb: youngMb }
    })
    one.on("message", (message: FromThread) => {
      if (message.type === "alive") {
        clearTimeout(silence)
        silence = undefined
      } else if (message.type === "states") states = message.states
      else if (message.type === "trouble") note(`in the thread that works for the host: ${message.problem}`)
      else seats.get(message.seat)?.hear(message.message)
    })
    one.on("error", (error) => ended(one, error.message))
    one.on("exit", () => ended(one, "it exited"))
    // The host lives as long as it serves, not as long as a thread of its own.
    one.unref()
    return one
  }

  const ensure = (): void => {
    if (worker === undefined && !closed) worker = start()
  }

  const startLater = (): void => {
    if (!closed) later = setTimeout(ensure, againMs).unref()
  }

  /** Whether it does anything at all: one that some hook holds up is ended, with all that it had. */
  const look = (): void => {
    if (silence || !worker) return
    const one = worker
    post({ type: "alive" })
    silence = setTimeout(() => {
      ended(one, `it did nothing for ${silentMs} ms`)
      void one.terminate()
    }, silentMs).unref()
  }

  const sit = (): HandlerWorker => {
    ensure()
    const seat = ++count
    const mailbox = makeMailbox<FromWorker>((withinMs) => {
      post({ type: "leave", seat })
      leave("late", notWithin(withinMs))
      look()
    })
    const leave: Seat["leave"] = (reason, message) => {
      seats.delete(seat)
      mailbox.end(new WorkerGone(reason, message, ""))
    }
    seats.set(seat, { leave, hear: mailbox.put })
    if (worker === undefined) leave("ended", "the host ends")
    return {
      pid: undefined,
      send: (message: ToWorker) => {
        if (!mailbox.isEnded()) post({ type: "for", seat, message })
      },
      next: mailbox.next,
      kill: () => {
        if (!mailbox.isEnded()) post({ type: "leave", seat })
        leave("ended", "it was ended")
      },
      isGone: mailbox.isEnded,
      noiseBytes: () => 0
    }
  }

  startLater()

  return {
    takeFree: () => sit(),
    take: () => Promise.resolve(sit()),
    give: (_, seat) => seat.kill(),
    close: () => {
      closed = true
      clearTimeout(later)
      const one = worker
      if (one) ended(one, "the host ends")
      void one?.terminate()
    },
    count: () => 0,
    states: () => states,
    compact: () => post({ type: "compact" })
  }
}
