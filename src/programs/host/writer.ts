/** The one steady writer of the log: what is handed in while a transaction runs goes into the next, together. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { Batch, EventLogError, EventLogShape } from "../../log/EventLog.ts"

export interface Writer {
  /** Resolves once all of them are committed. */
  readonly commit: (batches: readonly Batch[]) => Promise<void>
}

interface Entry {
  readonly batches: readonly Batch[]
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Larger groups make nobody faster and everybody wait. */
const maxFacts = 500

const factsIn = ({ batches }: Entry): number => batches.reduce((sum, { drafts }) => sum + drafts.length, 0)

/** Whatever else arrives in this turn of the loop joins. */
const turnOver = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** What waits, up to so much: at least one. */
const nextGroup = Effect.fnUntraced(function* (queue: Queue.Dequeue<Entry>) {
  const first = yield* Queue.take(queue)
  yield* turnOver
  const group = [first]
  for (let facts = factsIn(first); facts < maxFacts; ) {
    const next = yield* Queue.poll(queue)
    if (Option.isNone(next)) break
    group.push(next.value)
    facts += factsIn(next.value)
  }
  return group
})

/** Writes as long as its scope is open, and what it began to its end. */
export const makeWriter = Effect.fn("host.writer")(function* (log: Pick<EventLogShape, "appendMany">) {
  const queue = yield* Queue.unbounded<Entry>()

  const failed = (group: readonly Entry[], error: unknown): Effect.Effect<void> => {
    const { reason } = error as Partial<EventLogError>
    // What is wrong with one batch is not wrong with the others; what is wrong with the log is.
    if (group.length > 1 && reason !== "io")
      return Effect.forEach(group, (entry) => settle([entry]), { discard: true })
    return Effect.sync(() => {
      for (const { failed } of group) failed(error)
    })
  }
  const settle = (group: readonly Entry[]): Effect.Effect<void> =>
    Effect.matchCauseEffect(log.appendMany(group.flatMap(({ batches }) => batches)), {
      onSuccess: () =>
        Effect.sync(() => {
          for (const { done } of group) done()
        }),
      onFailure: (cause) => failed(group, Cause.squash(cause))
    })

  yield* Effect.forkScoped(
    Effect.forever(Effect.flatMap(nextGroup(queue), (group) => Effect.uninterruptible(settle(group))))
  )
  return {
    commit: (batches) => new Promise((done, failed) => void queue.unsafeOffer({ batches, done, failed }))
  } satisfies Writer as Writer
})
