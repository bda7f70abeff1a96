/** The one steady writer of the log: what is handed in while a transaction runs goes into the next, together. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Batch, EventLogError, EventLogShape } from "../../log/EventLog.ts"

export interface Writer {
  /** Resolves once all of them are committed. */
  readonly commit: (batches: readonly Batch[]) => Promise<void>
  /** What waits for its turn. */
  readonly waiting: () => number
}

interface Entry {
  readonly batches: readonly Batch[]
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Larger groups make nobody faster and everybody wait. */
const maxFacts = 500

export const makeWriter = (log: Pick<EventLogShape, "appendMany">): Writer => {
  const queue: Entry[] = []
  let running = false

  const append = (entries: readonly Entry[]): Promise<Exit.Exit<unknown, EventLogError>> =>
    Effect.runPromiseExit(log.appendMany(entries.flatMap(({ batches }) => batches)))

  const settle = async (entries: readonly Entry[]): Promise<void> => {
    const exit = await append(entries)
    if (Exit.isSuccess(exit)) {
      for (const { done } of entries) done()
      return
    }
    const error = Cause.squash(exit.cause)
    const { reason } = error as Partial<EventLogError>
    // What is wrong with one batch is not wrong with the others; what is wrong with the log is.
    if (entries.length > 1 && reason !== "io") {
      for (const entry of entries) await settle([entry])
    } else for (const { failed } of entries) failed(error)
  }

  const group = (): readonly Entry[] => {
    let facts = 0
    let count = 0
    for (; count < queue.length && facts < maxFacts; count++)
      for (const { drafts } of queue[count]?.batches ?? []) facts += drafts.length
    return queue.splice(0, count)
  }

  const run = async (): Promise<void> => {
    while (queue.length > 0) await settle(group())
    running = false
  }

  return {
    commit: (batches) =>
      new Promise((done, failed) => {
        queue.push({ batches, done, failed })
        if (running) return
        running = true
        // Whatever else has arrived in this turn of the loop joins.
        setImmediate(() => void run())
      }),
    waiting: () => queue.length
  }
}
