/** The Unix socket, or the named pipe: one connection is one call, answered once. */
import { chmodSync, unlinkSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { timeOf } from "../../../events/ids.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import type { HostAddress } from "../../runtime/host/hostAddress.ts"
import {
  type Answer,
  answerFrame,
  fallbackFrame,
  type Head,
  makeRequestReader,
  workingFrame
} from "../../runtime/host/wireProtocol.ts"
import { type ArrivingPayload, makeArriving } from "../../runtime/leftCalls/arrivingPayload.ts"
import { messageOf } from "../../state/messageOf.ts"

export interface Peer {
  /** Whether nobody waits any more. One who may have given up is told once more that the call is at work: that shows it. */
  readonly isDisconnected: () => boolean
  /** When an answer comes at the latest, monotonic milliseconds: a client that hears nothing goes elsewhere. */
  readonly expect: (latest: number) => void
}

/** A client that has heard nothing for two seconds (one, where the agent itself has little time) gives the host up, at any time. */
const sayEveryMs = 400
/** Until the call has a deadline of its own: finding its build may take this long. */
const firstMs = 10_000

export type Serve = (head: Head, payload: ArrivingPayload, peer: Peer) => Promise<Answer>

export interface SocketServer {
  readonly listen: () => Promise<void>
  /** Takes no more connections; those there are go on. */
  readonly close: () => void
  /** Resolves when no connection is left. */
  readonly idle: () => Promise<void>
}

const serveOne = (socket: Socket, limit: number, serve: Serve): void => {
  const payload = makeArriving(limit)
  let begun = false
  let gone = false
  let answered = false
  let latest = monotonic() + firstMs
  /** When the client may have had enough of waiting in silence, monotonic milliseconds. */
  let doubtful = monotonic() + sayEveryMs
  const tell = () => {
    if (!answered && !gone) socket.write(workingFrame(latest - monotonic()))
  }
  const waiting = setInterval(tell, sayEveryMs)
  const leave = (bytes: Buffer) => {
    if (answered || gone) return
    answered = true
    clearInterval(waiting)
    socket.end(bytes)
  }
  const peer: Peer = {
    isDisconnected: () => {
      // That it has closed is known at once where a word to it fails; that it did so is heard of only after what else came.
      if (monotonic() >= doubtful) tell()
      return gone || socket.errored !== null
    },
    expect: (at) => {
      latest = at
      if (monotonic() >= doubtful) tell()
    }
  }
  const read = makeRequestReader({
    head: (head) => {
      begun = true
      // It may have waited long before this host came to it, as the time in its id tells where it has one.
      const asked = timeOf(head.call)
      if (asked > 0) doubtful -= Math.max(0, Date.now() - asked)
      serve(head, payload, peer).then(
        (answer) => leave(answerFrame(answer, head.kinds)),
        (error: unknown) => leave(fallbackFrame(messageOf(error)))
      )
    },
    chunk: payload.chunk,
    end: payload.end,
    broken: (reason) => leave(fallbackFrame(reason))
  })
  socket.on("data", (data) => {
    try {
      read(data)
    } catch (error) {
      leave(fallbackFrame(messageOf(error)))
    }
  })
  // A client that shuts its half has said all; one that is gone waits for nothing. Only a write tells the two apart.
  socket.on("end", () => {
    payload.end()
    if (begun) tell()
    else socket.destroy()
  })
  socket.on("error", () => undefined)
  socket.on("close", () => {
    gone = true
    clearInterval(waiting)
    payload.broken()
    if (!begun) answered = true
  })
}

export const makeSocketServer = (
  { isFile, path }: HostAddress,
  limit: number,
  serve: Serve
): SocketServer => {
  const open = new Set<Socket>()
  let waiting: (() => void)[] = []
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on("close", () => {
      open.delete(socket)
      if (open.size > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    })
    serveOne(socket, limit, serve)
  })
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject)
        server.listen(path, () => {
          if (isFile) chmodSync(path, 0o600)
          server.off("error", reject)
          resolve()
        })
      }),
    close: () => {
      try {
        if (isFile) unlinkSync(path)
      } catch {
        // Somebody was faster.
      }
      server.close()
    },
    idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)))
  }
}
