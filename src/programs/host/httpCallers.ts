/** Whose connections are open: those that have shown the token keep theirs, and no stranger takes a place from them. */
import type { Server } from "node:http"
import type { Socket } from "node:net"

export interface HttpCallers {
  /** It has shown the token. False where there are as many as there may be: it is answered, and closed then. */
  readonly admit: (socket: Socket) => boolean
  readonly strangers: () => number
}

export interface HttpCallersOptions {
  /** A connection on which nobody has shown the token by then is closed. */
  readonly strangerMs?: number
  /** Beyond so many the oldest is closed. */
  readonly mostStrangers?: number
  readonly mostAdmitted?: number
}

/** What waits in the system for a host that was busy has had its turn by then: it is accepted in one, and read in the next. */
const afterItsTurn = (work: () => void): void => void setImmediate(() => setImmediate(work))

export const watchCallers = (
  server: Server,
  { mostAdmitted = 512, mostStrangers = 256, strangerMs = 1500 }: HttpCallersOptions = {}
): HttpCallers => {
  /** In the order in which they came. */
  const strangers = new Map<Socket, NodeJS.Timeout>()
  const admitted = new Set<Socket>()

  const forget = (socket: Socket): void => {
    clearTimeout(strangers.get(socket))
    strangers.delete(socket)
    admitted.delete(socket)
  }

  const shut = (socket: Socket): void => {
    if (strangers.has(socket)) socket.destroy()
  }

  const makeRoom = (): void => {
    for (const socket of strangers.keys()) {
      if (strangers.size <= mostStrangers) return
      forget(socket)
      socket.destroy()
    }
  }

  server.on("connection", (socket: Socket) => {
    const timer = setTimeout(() => afterItsTurn(() => shut(socket)), strangerMs)
    timer.unref()
    strangers.set(socket, timer)
    socket.once("close", () => forget(socket))
    if (strangers.size > mostStrangers) afterItsTurn(makeRoom)
  })

  return {
    admit: (socket) => {
      if (admitted.has(socket)) return true
      clearTimeout(strangers.get(socket))
      strangers.delete(socket)
      if (admitted.size >= mostAdmitted) return false
      admitted.add(socket)
      return true
    },
    strangers: () => strangers.size
  }
}
