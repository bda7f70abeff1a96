/** What comes from a process or a thread that runs handlers, in its order: asked for one at a time, and not for ever. */

export interface Mailbox<Message> {
  readonly put: (message: Message) => void
  /** The next message, or why there is none. Only one may be waited for at a time. */
  readonly next: (withinMs: number) => Promise<Message>
  /** Nothing more comes: whoever waits, or asks once all that came is taken, is told why. Only the first reason counts. */
  readonly end: (why: Error) => void
  readonly isEnded: () => boolean
}

interface Waiting<Message> {
  readonly take: (message: Message) => void
  readonly fail: (why: Error) => void
}

/** `late`: nothing came within the time that somebody waited. It has to end the mailbox: an answer that comes later would be taken for another's. */
export const makeMailbox = <Message>(late: (withinMs: number) => void): Mailbox<Message> => {
  const arrived: Message[] = []
  let waiting: Waiting<Message> | undefined
  let ended: Error | undefined
  return {
    put: (message) => {
      if (waiting) waiting.take(message)
      else arrived.push(message)
    },
    next: (withinMs) =>
      new Promise((resolve, reject) => {
        const there = arrived.shift()
        if (there !== undefined) return resolve(there)
        if (ended) return reject(ended)
        const timer = setTimeout(late, withinMs, withinMs)
        const done = () => {
          clearTimeout(timer)
          waiting = undefined
        }
        waiting = {
          take: (message) => {
            done()
            resolve(message)
          },
          fail: (why) => {
            done()
            reject(why)
          }
        }
      }),
    end: (why) => {
      ended ??= why
      waiting?.fail(ended)
    },
    isEnded: () => ended !== undefined
  }
}
