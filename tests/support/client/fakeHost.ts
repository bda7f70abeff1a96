/** A host that does what a test tells it to: speaks the protocol of decision 0006, well or badly. */
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"

export interface Asked {
  readonly head: Readonly<Record<string, string>>
  /** Environment variables, in the order they came. */
  readonly env: Readonly<Record<string, string>>
  readonly payload: Buffer
  /** Whether the client said that standard input had ended. */
  readonly ended: boolean
}

export interface Asking {
  readonly socket: Socket
  /** Resolves with the head, as soon as it is there. */
  readonly head: () => Promise<Asked["head"]>
  /** Resolves when the payload has ended, or when the client has hung up. */
  readonly asked: () => Promise<Asked>
  /** Resolves when so many bytes of payload are there. */
  readonly received: (bytes: number) => Promise<void>
}

export const frame = (
  kind: number,
  {
    code = 0,
    stdout = "",
    stderr = ""
  }: { code?: number; stdout?: string | Buffer; stderr?: string | Buffer } = {}
): Buffer => {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)]
  const header = Buffer.alloc(14)
  header.write("HKT1", "latin1")
  header.writeUInt8(kind, 4)
  header.writeUInt8(code, 5)
  header.writeUInt32LE(out.length, 6)
  header.writeUInt32LE(err.length, 10)
  return Buffer.concat([header, out, err])
}

/** A reply of kind 2: at work, wait for so many milliseconds from now. */
export const waitFrame = (milliseconds: number): Buffer => {
  const bytes = frame(2)
  bytes.writeUInt32LE(milliseconds, 6)
  return bytes
}

const entriesOf = (bytes: Buffer): Asked["head"] =>
  Object.fromEntries(
    bytes
      .toString("utf8")
      .split("\0")
      .filter((entry) => entry !== "")
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)])
  )

/** What a whole or broken-off request says. */
export const parseRequest = (bytes: Buffer): Asked | undefined => {
  if (bytes.length < 8 || bytes.toString("latin1", 0, 4) !== "HKT1") return undefined
  const length = bytes.readUInt32LE(4)
  if (bytes.length < 8 + length) return undefined
  const entries = Object.entries(entriesOf(bytes.subarray(8, 8 + length)))
  const chunks: Buffer[] = []
  let ended = false
  for (let at = 8 + length; at + 4 <= bytes.length && !ended; ) {
    const size = bytes.readUInt32LE(at)
    ended = size === 0
    chunks.push(bytes.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  const isEnv = ([name]: readonly [string, string]) => name.startsWith("env.")
  return {
    head: Object.fromEntries(entries.filter((entry) => !isEnv(entry))),
    env: Object.fromEntries(entries.filter(isEnv).map(([name, value]) => [name.slice(4), value])),
    payload: Buffer.concat(chunks),
    ended
  }
}

const listen = (socket: Socket): Asking => {
  const chunks: Buffer[] = []
  let waiting: (() => void)[] = []
  let over = false
  const wake = () => {
    const those = waiting
    waiting = []
    for (const one of those) one()
  }
  socket.on("data", (chunk) => {
    chunks.push(chunk)
    wake()
  })
  socket.on("error", () => {})
  socket.on("close", () => {
    over = true
    wake()
  })
  const until = async <A>(look: (asked: Asked | undefined) => A | undefined): Promise<A> => {
    for (;;) {
      const found = look(parseRequest(Buffer.concat(chunks)))
      if (found !== undefined) return found
      if (over) throw new Error("the client hung up")
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return {
    socket,
    head: () => until((asked) => asked?.head),
    asked: () => until((asked) => (asked?.ended || (asked && over) ? asked : undefined)),
    received: (bytes) =>
      until((asked) => (asked && asked.payload.length >= bytes ? true : undefined)).then(() => {})
  }
}

export const token = "0123456789abcdef"

export interface FakeHost {
  /** One for each connection so far. */
  readonly asked: Asking[]
  readonly close: () => Promise<void>
}

/** Listens at `run/host.sock`; `behave` has each connection to itself. */
export const fakeHost = async (
  state: string,
  behave: (asking: Asking) => unknown,
  listenAt = join(state, "run", "host.sock")
): Promise<FakeHost> => {
  mkdirSync(join(state, "run"), { recursive: true, mode: 0o700 })
  const asked: Asking[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const asking = listen(socket)
    asked.push(asking)
    // A client that is gone in the middle is what some tests are about.
    Promise.resolve(behave(asking)).catch(() => socket.destroy())
  })
  server.listen({ path: listenAt, backlog: 511 })
  await once(server, "listening")
  writeFileSync(join(state, "run", "token"), `${token}\n`, { mode: 0o600 })
  return {
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const { socket } of asked) socket.destroy()
      })
  }
}

/** Answers every call once its payload is there. */
export const answering =
  (answer: Parameters<typeof frame>[1]) =>
  async ({ socket, asked }: Asking): Promise<void> => {
    await asked()
    socket.end(frame(0, answer))
  }
