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

/** A reply of kind 3: with what is said, and recorded, where the agent cannot be told. */
export const longFrame = (
  answer: NonNullable<Parameters<typeof frame>[1]>,
  {
    code,
    stderr = "",
    undelivered = ""
  }: { code?: number; stderr?: string | Buffer; undelivered?: string | Buffer }
): Buffer => {
  const texts = [Buffer.from(stderr), Buffer.from(undelivered)]
  const fields = Buffer.alloc(12)
  fields.writeUInt8(code === undefined ? 0 : 1, 0)
  fields.writeUInt8(code ?? 0, 1)
  for (const [at, { length }] of texts.entries()) fields.writeUInt32LE(length, 4 + 4 * at)
  return Buffer.concat([frame(3, answer), fields, ...texts])
}

/** A reply of kind 2: at work, wait for so many milliseconds from now. `again`: as one that is to be said again and again. */
export const waitFrame = (milliseconds: number, again = false): Buffer => {
  const bytes = frame(2, { code: again ? 1 : 0 })
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

const split = (bytes: Buffer): Pick<Asked, "head" | "env"> => {
  const isEnv = ([name]: readonly [string, string]) => name.startsWith("env.")
  const entries = Object.entries(entriesOf(bytes))
  return {
    head: Object.fromEntries(entries.filter((entry) => !isEnv(entry))),
    env: Object.fromEntries(entries.filter(isEnv).map(([name, value]) => [name.slice(4), value]))
  }
}

/** Takes a request in as it comes, and says what is known of it. */
const makeReader = () => {
  let pending: Buffer[] = []
  let held = 0
  let asked: Pick<Asked, "head" | "env"> | undefined
  const payload: Buffer[] = []
  let bytes = 0
  let ended = false
  /** The next so many bytes after a header of `skip` bytes, once they are there. */
  const take = (skip: number, length: number): Buffer | undefined => {
    if (held < skip + length) return undefined
    const all = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending)
    pending = [all.subarray(skip + length)]
    held -= skip + length
    return all.subarray(skip, skip + length)
  }
  const peek = (at: number): number | undefined => {
    if (held < at + 4) return undefined
    if ((pending[0]?.length ?? 0) < at + 4) pending = [Buffer.concat(pending)]
    return pending[0]?.readUInt32LE(at)
  }
  return {
    feed: (data: Buffer) => {
      pending.push(data)
      held += data.length
      if (!asked) {
        const length = peek(4)
        const head = length === undefined ? undefined : take(8, length)
        if (!head) return
        asked = split(head)
      }
      while (!ended) {
        const length = peek(0)
        const chunk = length === undefined ? undefined : take(4, length)
        if (!chunk) return
        ended = chunk.length === 0
        bytes += chunk.length
        payload.push(chunk)
      }
    },
    known: () => asked,
    bytes: () => bytes,
    ended: () => ended,
    whole: (): Asked | undefined => asked && { ...asked, payload: Buffer.concat(payload), ended }
  }
}

/** What a request in a file says. */
export const parseRequest = (bytes: Buffer): Asked | undefined => {
  const reader = makeReader()
  reader.feed(bytes)
  return bytes.toString("latin1", 0, 4) === "HKT1" ? reader.whole() : undefined
}

const listen = (socket: Socket): Asking => {
  const reader = makeReader()
  let waiting: (() => void)[] = []
  let over = false
  const wake = () => {
    const those = waiting
    waiting = []
    for (const one of those) one()
  }
  socket.on("data", (chunk) => {
    reader.feed(chunk)
    wake()
  })
  socket.on("error", () => {})
  socket.on("close", () => {
    over = true
    wake()
  })
  const until = async <A>(look: () => A | undefined): Promise<A> => {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (over) throw new Error("the client hung up")
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return {
    socket,
    head: () => until(() => reader.known()?.head),
    asked: () => until(() => (reader.ended() || over ? reader.whole() : undefined)),
    received: (bytes) => until(() => (reader.bytes() >= bytes ? true : undefined)).then(() => {})
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

/** Answers every call once its payload is there. It says at once that it is at work: however busy the machine is, it is waited for. */
export const answering =
  (answer: Parameters<typeof frame>[1]) =>
  async ({ socket, asked }: Asking): Promise<void> => {
    socket.write(waitFrame(100_000))
    await asked()
    socket.end(frame(0, answer))
  }
