/** The bytes between client and host: read as they come, written whole. The contract is docs/decisions/0006. */
import { longestUs } from "../clientTime.ts"

export const magic = Buffer.from("HKT1", "latin1")

/** What a client says of its call before the payload. */
export interface Head {
  readonly token: string
  readonly agent: string
  readonly agentEvent: string
  /** Id that the client gave this call: the same for host and fallback. */
  readonly call: string
  readonly cwd: string
  /** Build the client was compiled with. */
  readonly build: string
  readonly started?: ClientStart | undefined
  /** The highest kind of reply that the client knows, where it says so. */
  readonly kinds?: number | undefined
  /** The client's whole environment. */
  readonly environment: Environment
}

/** When a client started, as it says itself: microseconds. */
export interface ClientStart {
  /** Since 1970. */
  readonly at: number
  /** By the machine's monotonic clock. */
  readonly monotonic: number
  /** From its start until it wrote this. */
  readonly took: number
}

const startIn = (text: string): ClientStart | undefined => {
  const [at = 0, monotonic = 0, took = 0] = text.split(" ").map(Number)
  return at > 0 && monotonic > 0 && took >= 0 && took < longestUs ? { at, monotonic, took } : undefined
}

/** An environment as it came over the wire, parsed when somebody asks. */
export interface Environment {
  readonly get: (name: string) => string | undefined
  readonly all: () => Readonly<Record<string, string>>
}

const environmentMark = "\0env."

/** `block` is empty or begins with a NUL: each entry is `\0env.NAME=VALUE`. */
const environmentIn = (block: Buffer): Environment => {
  let found: Record<string, string> | undefined
  const all = (): Readonly<Record<string, string>> => {
    if (found) return found
    found = Object.create(null) as Record<string, string>
    for (const entry of block.toString("utf8").split("\0")) {
      const equals = entry.indexOf("=")
      if (equals > 4) found[entry.slice(4, equals)] = entry.slice(equals + 1)
    }
    return found
  }
  return { get: (name) => all()[name], all }
}

const parseHead = (bytes: Buffer): Head => {
  const mark = bytes.indexOf(environmentMark)
  const own = new Map<string, string>()
  for (const entry of bytes.toString("utf8", 0, mark === -1 ? bytes.length : mark).split("\0")) {
    const equals = entry.indexOf("=")
    if (equals > 0) own.set(entry.slice(0, equals), entry.slice(equals + 1))
  }
  const named = (name: string): string => own.get(name) ?? ""
  return {
    token: named("token"),
    agent: named("agent"),
    agentEvent: named("event"),
    call: named("call"),
    cwd: named("cwd"),
    build: named("build"),
    started: startIn(named("start")),
    kinds: Number(named("kinds")) || undefined,
    environment: environmentIn(mark === -1 ? Buffer.alloc(0) : bytes.subarray(mark))
  }
}

/** An environment is at most 2 MB on the systems we know. */
const longestHead = 4 * 1024 * 1024
/** Clients send what one read gave them. */
const longestChunk = 16 * 1024 * 1024

export interface RequestListener {
  readonly head: (head: Head) => void
  readonly chunk: (bytes: Buffer) => void
  readonly end: () => void
  /** The peer does not speak this protocol: nothing more is read from it. */
  readonly broken: (reason: string) => void
}

/** Takes what the socket gives in whatever pieces, and says what is in it. */
export const makeRequestReader = (listener: RequestListener): ((data: Buffer) => void) => {
  let pending: Buffer = Buffer.alloc(0)
  let state: "magic" | "head" | "chunks" | "done" = "magic"
  const fail = (reason: string) => {
    state = "done"
    listener.broken(reason)
  }
  /** How many bytes of `pending` one step took; 0 when it needs more. */
  const step = (): number => {
    if (state === "magic") {
      if (pending.length < 8) {
        if (!magic.subarray(0, pending.length).equals(pending.subarray(0, 4)))
          fail("this is not our protocol")
        return 0
      }
      if (!pending.subarray(0, 4).equals(magic)) {
        fail("this is not our protocol")
        return 0
      }
      if (pending.readUInt32LE(4) > longestHead) {
        fail("a head of that length is none of ours")
        return 0
      }
      state = "head"
    }
    if (state === "head") {
      const length = pending.readUInt32LE(4)
      if (pending.length < 8 + length) return 0
      listener.head(parseHead(pending.subarray(8, 8 + length)))
      state = "chunks"
      return 8 + length
    }
    if (pending.length < 4) return 0
    const length = pending.readUInt32LE(0)
    if (length === 0) {
      state = "done"
      listener.end()
      return 4
    }
    if (length > longestChunk) {
      fail("a chunk of that length is none of ours")
      return 0
    }
    if (pending.length < 4 + length) return 0
    listener.chunk(pending.subarray(4, 4 + length))
    return 4 + length
  }
  return (data) => {
    if (state === "done") return
    pending = pending.length === 0 ? data : Buffer.concat([pending, data])
    for (;;) {
      const taken = step()
      // A listener may have closed the connection from within.
      if ((state as string) === "done" || taken === 0) return
      pending = pending.subarray(taken)
      if (pending.length === 0) return
    }
  }
}

export interface Answer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** What is said in its place where standard output takes nothing. */
  readonly instead?: Pick<Answer, "stderr" | "exitCode"> | undefined
  /** A line for the spool: that it did not arrive. */
  readonly undelivered?: (() => string | undefined) | undefined
}

const frame = (
  kind: number,
  { stdout, stderr, exitCode }: Answer,
  more: Buffer = Buffer.alloc(0)
): Buffer => {
  const out = Buffer.byteLength(stdout)
  const err = Buffer.byteLength(stderr)
  const bytes = Buffer.allocUnsafe(14 + out + err + more.length)
  magic.copy(bytes)
  bytes.writeUInt8(kind, 4)
  bytes.writeUInt8(exitCode & 0xff, 5)
  bytes.writeUInt32LE(out, 6)
  bytes.writeUInt32LE(err, 10)
  bytes.write(stdout, 14, "utf8")
  bytes.write(stderr, 14 + out, "utf8")
  more.copy(bytes, 14 + out + err)
  return bytes
}

/** Whether something is said in its place, the exit code of that, and the two texts behind their lengths. */
const tailOf = (instead: Answer["instead"], undelivered: string): Buffer => {
  const fields = Buffer.alloc(12)
  fields.writeUInt8(instead === undefined ? 0 : 1, 0)
  fields.writeUInt8((instead?.exitCode ?? 0) & 0xff, 1)
  const texts = [instead?.stderr ?? "", undelivered].map((text) => Buffer.from(text, "utf8"))
  for (const [at, { length }] of texts.entries()) fields.writeUInt32LE(length, 4 + 4 * at)
  return Buffer.concat([fields, ...texts])
}

/** Clients turn down an answer with a longer text, and call the entrypoint for it. */
const longestFact = 16 * 1024 * 1024

/** An answer is not lost for want of it: its call is recorded by then. */
const factOf = ({ undelivered }: Answer): string => {
  try {
    const line = undelivered?.() ?? ""
    return line.length > longestFact ? "" : line
  } catch {
    return ""
  }
}

/** An answer to be relayed as it is: to a client that knows it with what there is to do where the agent cannot be told. */
export const answerFrame = (answer: Answer, kinds = 2): Buffer => {
  const { instead, stderr, stdout } = answer
  if (kinds < 3 || (stdout === "" && stderr === "")) return frame(0, answer)
  const fact = factOf(answer)
  return instead === undefined && fact === "" ? frame(0, answer) : frame(3, answer, tailOf(instead, fact))
}

/** Not here: the client runs the entrypoint. */
export const fallbackFrame = (reason: string): Buffer => frame(1, { stdout: "", stderr: reason, exitCode: 0 })

/** At work: an answer comes within so many milliseconds, and a word like this one again before two seconds are over. */
export const workingFrame = (withinMs: number): Buffer => {
  const bytes = Buffer.alloc(14)
  magic.copy(bytes)
  bytes.writeUInt8(2, 4)
  bytes.writeUInt8(1, 5)
  bytes.writeUInt32LE(Math.max(1, Math.round(withinMs)), 6)
  return bytes
}

/** A request as a client writes it: for what speaks to the host from TypeScript. */
export const requestFrame = (
  head: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  payload: Buffer
): Buffer => {
  const entries = [
    ...Object.entries(head),
    ...Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[`env.${name}`, value] as const]
    )
  ]
  const bytes = Buffer.from(entries.map(([name, value]) => `${name}=${value}\0`).join(""))
  const length = (count: number) => {
    const four = Buffer.alloc(4)
    four.writeUInt32LE(count)
    return four
  }
  const chunk = payload.length === 0 ? [] : [length(payload.length), payload]
  return Buffer.concat([magic, length(bytes.length), bytes, ...chunk, length(0)])
}

/** A complete reply in these bytes, if they hold one. */
export const parseReply = (bytes: Buffer): (Answer & { readonly kind: number }) | undefined => {
  if (bytes.length < 14 || !bytes.subarray(0, 4).equals(magic)) return undefined
  // That it is at work is no answer yet.
  if (bytes.readUInt8(4) === 2) return parseReply(bytes.subarray(14))
  const out = bytes.readUInt32LE(6)
  const err = bytes.readUInt32LE(10)
  if (bytes.length < 14 + out + err) return undefined
  return {
    kind: bytes.readUInt8(4),
    exitCode: bytes.readUInt8(5),
    stdout: bytes.toString("utf8", 14, 14 + out),
    stderr: bytes.toString("utf8", 14 + out, 14 + out + err)
  }
}
