/** One connection is one call: what its client is told while it waits, and how the host learns that it waits no more. */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { createConnection, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { uuidv7 } from "../../../events/ids.ts"
import {
  makeSocketServer,
  type Peer,
  type Serve,
  type SocketServer
} from "../../../src/programs/host/socketServer.ts"
import { answerFrame, requestFrame } from "../../../src/runtime/host/wireProtocol.ts"

// Files share a process: what those before this one loaded would know nothing of what stands in here, and those after it must not.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())

/** Where the clock stands still. */
const clock = vi.hoisted((): { at?: number } => ({}))

vi.mock("../../../src/runtime/elapsed.ts", async (original) => {
  const real = await original<typeof import("../../../src/runtime/elapsed.ts")>()
  return { ...real, monotonic: () => clock.at ?? real.monotonic() }
})

const served: { readonly folder: string; readonly server: SocketServer }[] = []
afterEach(() => {
  delete clock.at
  for (const { folder, server } of served.splice(0)) {
    server.close()
    rmSync(folder, { recursive: true })
  }
})

/** A file, or as on Windows an address without one: here a name that Linux keeps apart from files. */
type Kind = "file" | "name"

const open = async (serve: Serve, kind: Kind = "file") => {
  const folder = mkdtempSync(join(tmpdir(), "hooktape-socket-"))
  const file = join(folder, "host.sock")
  const isFile = kind === "file"
  const address = { path: isFile ? file : `\0${file}`, isFile }
  const server = makeSocketServer(address, 1000, serve)
  served.push({ folder, server })
  return { server, file, path: address.path }
}

const serving = async (serve: Serve, kind?: Kind): Promise<string> => {
  const { path, server } = await open(serve, kind)
  await server.listen()
  return path
}

/** A call that its client made so many milliseconds ago. */
const request = (ago = 0): Buffer =>
  requestFrame({ call: uuidv7(Date.now() - ago, new Uint8Array(10)) }, {}, Buffer.from("{}"))

const call = (path: string, ago: number, then: (socket: Socket) => void): Socket => {
  const socket = createConnection(path, () => {
    socket.write(request(ago))
    then(socket)
  })
  return socket
}

const kinds: readonly Kind[] = process.platform === "linux" ? ["file", "name"] : ["file"]

describe.each(kinds)("the host's socket, a %s", (kind) => {
  it("says again and again that the call is at work", async () => {
    const path = await serving(() => new Promise(() => undefined), kind)
    const heard: Buffer[] = []
    await new Promise<void>((resolve) => {
      call(path, 0, (socket) =>
        socket.on("data", (data) => {
          heard.push(data)
          if (Buffer.concat(heard).length < 3 * 14) return
          socket.destroy()
          resolve()
        })
      )
    })
    const all = Buffer.concat(heard)
    for (const nth of [0, 1, 2]) {
      const frame = all.subarray(nth * 14)
      expect([frame.toString("latin1", 0, 4), frame.readUInt8(4), frame.readUInt8(5)]).toEqual(["HKT1", 2, 1])
    }
    expect(all.readUInt32LE(14 + 6)).toBeLessThan(all.readUInt32LE(6))
  })

  /** Whether the host holds the client of a call for gone, at the moment at which the call reaches it. */
  const isGone = async (ago: number, then: (socket: Socket) => void): Promise<boolean> => {
    let heard: (peer: Peer) => void
    const peer = new Promise<boolean>((resolve) => {
      heard = ({ isDisconnected }) => resolve(isDisconnected())
    })
    const path = await serving(async (_head, _payload, peer) => {
      heard(peer)
      return { stdout: "", stderr: "", exitCode: 0 }
    }, kind)
    const socket = call(path, ago, then)
    const gone = await peer
    socket.destroy()
    return gone
  }

  it("knows at once that the client of a call which waited long has given it up", async () => {
    expect(await isGone(5000, (socket) => socket.destroy())).toBe(true)
  })

  it("does not hold one that has said all for one that has gone", async () => {
    expect(await isGone(5000, (socket) => socket.end())).toBe(false)
    expect(await isGone(5000, () => undefined)).toBe(false)
  })

  it("says nothing but the answer to a call that does not say when it was made", async () => {
    // However long it takes here.
    clock.at = 0
    const path = await serving(async (_head, _payload, peer) => {
      peer.expect(0)
      return { stdout: peer.isDisconnected() ? "gone" : "there", stderr: "", exitCode: 0 }
    }, kind)
    const heard: Buffer[] = []
    await new Promise((resolve) => {
      const socket = createConnection(path, () =>
        socket.write(requestFrame({ call: "" }, {}, Buffer.from("{}")))
      )
      socket.on("data", (data) => heard.push(data))
      socket.on("close", resolve)
      socket.on("end", () => socket.end())
    })
    expect(Buffer.concat(heard)).toEqual(answerFrame({ stdout: "there", stderr: "", exitCode: 0 }))
  })
})

const silent: Serve = () => new Promise(() => undefined)

it("a socket that is a file is private, and gone when it is closed", async () => {
  const { file, server } = await open(silent)
  await server.listen()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  server.close()
  expect(existsSync(file)).toBe(false)
})
