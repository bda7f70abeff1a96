/** A payload as it arrives over a connection: complete as soon as it holds one JSON value, or at its end, or at the deadline. */
import { makeNesting, type ReceivedPayload } from "../stdin.ts"

export interface ArrivingPayload {
  readonly chunk: (bytes: Buffer) => void
  readonly end: () => void
  /** The peer went away before the end. */
  readonly broken: () => void
  /** Resolves once, when there is nothing more to wait for. */
  readonly received: (deadlineMs: number) => Promise<ReceivedPayload>
}

export const makeArriving = (limit: number): ArrivingPayload => {
  const chunks: Buffer[] = []
  const nesting = makeNesting()
  /** Not looked through yet: mostly the end comes with the last of it, and what it holds need not be known. */
  let unseen: Buffer[] = []
  let total = 0
  let ended = false
  let complete = false
  let resolve: ((received: ReceivedPayload) => void) | undefined

  const taken = (): ReceivedPayload => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    return total > limit ? { kind: "too-large", bytes, total } : { kind: "buffered", bytes }
  }
  const isComplete = (): boolean => {
    for (const bytes of unseen) complete ||= nesting.feed(bytes)
    unseen = []
    return complete
  }
  const settle = () => {
    if (resolve === undefined) return
    // What is too large is counted to its end: the fact says how large it was.
    if (ended || (total <= limit && isComplete())) resolve(taken())
  }

  return {
    chunk: (bytes) => {
      total += bytes.length
      if (total <= limit) {
        chunks.push(bytes)
        unseen.push(bytes)
      } else if (chunks.length > 16) chunks.length = 16
      settle()
    },
    end: () => {
      ended = true
      settle()
    },
    broken: () => {
      ended = true
      settle()
    },
    received: (deadlineMs) =>
      new Promise((done) => {
        const timer = setTimeout(() => {
          const late = taken()
          done(late.kind === "too-large" ? late : { kind: "timed-out", bytes: late.bytes })
        }, deadlineMs)
        resolve = (received) => {
          clearTimeout(timer)
          done(received)
        }
        settle()
      })
  }
}
