/** Holds the reply where no native client does: a thread outside the handlers' owns the deadline, and answers with what was decided. */
import { join } from "node:path"
import { type Descriptors, type Say, sayTo } from "../../runtime/Edge.ts"
import { howItEnded } from "../../runtime/provisional.ts"
import { atPlaceholder, whyUndelivered } from "../../runtime/undelivered.ts"
import type { Held, Hold } from "./hold.ts"
import { threadText } from "./threadText.ts"

/** What both threads see: that something was said, who answers, that it is to answer now, and the exit code + 1 once it has. */
const news = 0
const claimed = 1
const wanted = 2
const done = 3
const cellCount = 4

/** By its name the thread finds how this process ends, whatever a hook does to `process`. */
const end = "hooktape/end"

/** By which an agent has a call end. */
const signals = [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15]
] as const

/** As they are before any hook of the call runs. */
const { add, compareExchange, load, notify, store, wait } = Atomics

interface Thread {
  readonly cells: Int32Array
  readonly tell: (message: object) => void
}

const startThread = (
  agent: Descriptors,
  state: string,
  exit: (code: number) => void,
  ended: (code: number) => void
): Thread => {
  const { Worker } = process.getBuiltinModule("node:worker_threads")
  const cells = new Int32Array(new SharedArrayBuffer(cellCount * Int32Array.BYTES_PER_ELEMENT))
  Object.defineProperty(globalThis, end, { value: exit })
  const worker = new Worker(threadText, {
    eval: true,
    env: {},
    execArgv: [],
    stdin: false,
    // It writes to descriptors: nothing of its own streams has to be led to this thread's, which would be made for it.
    stdout: true,
    stderr: true,
    workerData: {
      cells,
      claimed,
      done,
      end,
      news,
      wanted,
      how: howItEnded,
      time: `"at":${atPlaceholder},`,
      why: whyUndelivered,
      folder: join(state, "spool"),
      stdout: agent.stdout,
      stderr: agent.stderr
    }
  })
  worker.unref()
  // Whoever has this process end may read what was decided. One that spins hears of it no more than of anything else.
  for (const [signal, number] of signals) process.on(signal, () => ended(128 + number))
  // One that cannot start holds nothing: the call is as it was without.
  worker.on("error", () => undefined)
  const post = worker.postMessage.bind(worker)
  return {
    cells,
    tell: (message) => {
      post(message)
      add(cells, news, 1)
      notify(cells, news)
    }
  }
}

export interface ThreadWorld {
  readonly agent: Descriptors
  readonly state: string
  readonly exit: (code: number) => void
}

/** Started with the first hook that is not our own: no other call pays for a thread. */
export const threadHold = ({ agent, exit, state }: ThreadWorld): Hold => {
  const say: Say = sayTo(agent)
  let thread: Thread | undefined
  let last: Held | undefined
  let answers = false
  const answered = ({ cells }: Thread): void => {
    wait(cells, done, 0, 10_000)
    exit(Math.max(0, load(cells, done) - 1))
  }
  const tell = (held: Held, leftMs: number): boolean => {
    try {
      thread ??= startThread(agent, state, exit, (code) => {
        if (answers) return
        give()
        // Nothing is held.
        exit(code)
      })
      thread.tell({ ...held, leftMs })
      last = held
      return true
    } catch {
      return false
    }
  }
  const give = (): void => {
    if (thread === undefined || last === undefined) return
    store(thread.cells, wanted, 1)
    add(thread.cells, news, 1)
    notify(thread.cells, news)
    answered(thread)
  }
  return {
    outlives: false,
    // A process that stands still does so with all its threads.
    begins: () => undefined,
    say,
    // What could not be said from here cannot be said from there: it has no other streams.
    keep: (held, leftMs) => !answers && tell(held, leftMs),
    answering: (code, leftMs) => {
      if (thread === undefined || last === undefined) return true
      // It was late and is answering: this process has nothing more to say.
      if (!answers && compareExchange(thread.cells, claimed, 0, 1) !== 0) answered(thread)
      answers = true
      const nothing = { stdout: "", stderr: "", tail: "", instead: undefined, undelivered: "" }
      return tell({ ...nothing, code, spool: last.spool }, leftMs)
    },
    give
  }
}
