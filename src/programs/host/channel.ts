/**
 * Messages between the host and a process that runs handlers: JSON of a stated length, each under a secret that only the two know. A
 * handler can write to the descriptor as well; what it writes there is no message, and ends the way.
 */
import { randomBytes } from "node:crypto"
import type { Socket } from "node:net"

export interface Channel {
  readonly send: (message: unknown) => void
  readonly close: () => void
}

export interface ChannelListener {
  readonly message: (message: unknown) => void
  /** Something else than the peer wrote to it, or it is damaged: nothing more is read. */
  readonly spoilt: (why: string) => void
}

/** As they are before any hook is loaded. */
const { parse, stringify } = JSON
const { allocUnsafe, concat, from } = Buffer

const secretBytes = 16
const headBytes = secretBytes + 4
/** A payload is a quarter of this at most; a handler's reply is bounded far below it. */
export const longestMessage = 64 * 1024 * 1024

const frameOf = (secret: Buffer, message: unknown): Buffer => {
  const body = from(stringify(message), "utf8")
  const head = allocUnsafe(headBytes)
  secret.copy(head)
  head.writeUInt32LE(body.length, secretBytes)
  return concat([head, body])
}

/** Takes what comes in whatever pieces. */
const makeReader = (secret: () => Buffer | undefined, { message, spoilt }: ChannelListener) => {
  let pieces: Buffer[] = []
  let there = 0
  let wanted = headBytes
  let over = false
  const end = (why: string): undefined => {
    over = true
    pieces = []
    spoilt(why)
  }
  /** Whether there is more to look at. */
  const step = (known: Buffer): boolean | undefined => {
    const all = concat(pieces)
    if (!all.subarray(0, secretBytes).equals(known)) return end("what is written to it is no message")
    const length = all.readUInt32LE(secretBytes)
    if (length > longestMessage) return end("a message is too long")
    wanted = headBytes + length
    if (there < wanted) {
      pieces = [all]
      return false
    }
    let found: unknown
    try {
      found = parse(all.toString("utf8", headBytes, wanted))
    } catch {
      return end("a message is damaged")
    }
    pieces = [all.subarray(wanted)]
    there -= wanted
    wanted = headBytes
    message(found)
    return there >= wanted
  }
  return (data: Buffer): void => {
    const known = secret()
    if (over || known === undefined) return
    pieces.push(data)
    there += data.length
    while (!over && there >= wanted && step(known));
  }
}

const over = (socket: Socket, secret: () => Buffer | undefined, take: (data: Buffer) => void): Channel => {
  socket.on("data", take)
  // That it ended is seen by the end of the process on its other side.
  socket.on("error", () => undefined)
  return {
    send: (message) => {
      const known = secret()
      if (known && !socket.destroyed) socket.write(frameOf(known, message))
    },
    close: () => void socket.destroy()
  }
}

/** The host's side: chooses the secret, and says it before a hook can be loaded on the other side. */
export const openChannel = (socket: Socket, listener: ChannelListener): Channel => {
  const secret = randomBytes(secretBytes)
  socket.write(secret)
  const known = () => secret
  return over(socket, known, makeReader(known, listener))
}

/** The other side: the first it hears is the secret. Until then it has nothing to say. */
export const joinChannel = (
  socket: Socket,
  listener: ChannelListener & { readonly joined: () => void }
): Channel => {
  let secret: Buffer | undefined
  let first: Buffer = allocUnsafe(0)
  const known = () => secret
  const read = makeReader(known, listener)
  return over(socket, known, (data) => {
    if (secret) return read(data)
    first = concat([first, data])
    if (first.length < secretBytes) return
    secret = first.subarray(0, secretBytes)
    listener.joined()
    read(first.subarray(secretBytes))
  })
}
