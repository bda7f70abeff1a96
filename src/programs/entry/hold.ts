/**
 * The way to the native client that started this process and outlives it: what it is to say to the agent, now or should nothing more
 * come of this process, in frames on a descriptor; docs/decisions/0019 and 0029 are the contract.
 */
import { closeSync, readSync, writeSync } from "node:fs"
import { identityOf } from "../../log/identityOf.ts"
import type { Descriptors } from "../../runtime/Edge.ts"
import { pause } from "../../runtime/pause.ts"

export interface Held {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The file in the spool that the facts of the call go to, and those that are still to be appended then. */
  readonly spool: string
  readonly tail: string
  /** What is said where standard output takes nothing of it. */
  readonly instead: { readonly code: number; readonly stderr: string } | undefined
  /** The fact that it was not delivered: appended where that is so. */
  readonly undelivered: string
}

export interface Hold {
  /** Whether it is a process of its own, which goes on when this one stands still. */
  readonly outlives: boolean
  /** The call is about to be handled: who holds waits for so many milliseconds, and ends this process then. */
  readonly begins: (leftMs: number) => void
  /** Replaces what was held before. After so many milliseconds this process is ended and it is answered. False where that could not be said. */
  readonly keep: (held: Held, leftMs: number) => boolean
  /** From now on the agent is answered from here: only the exit code is still held. False where that could not be said. */
  readonly answering: (code: number, leftMs: number) => boolean
  /** Says it to the agent, and comes back when it is out. */
  readonly say: (stream: keyof Descriptors, text: string) => Error | undefined
  /** Ends this process at once, so that what is held is answered. */
  readonly give: () => void
}

/** The number of the descriptor, and the secret that each frame begins and ends with. */
const named = /^(\d+)\.([0-9a-f]{32})$/
/** Where the client leaves the agent's own streams, for builds that cannot do without them: right after its own. */
export const agentStreams = (where: string | undefined): Descriptors | undefined => {
  const number = named.exec(where ?? "")?.[1]
  return number === undefined ? undefined : { stdout: Number(number) + 1, stderr: Number(number) + 2 }
}

/** They lead to the agent: no hook is to find them. */
export const closeStreams = ({ stderr, stdout }: Descriptors): void => {
  for (const descriptor of [stdout, stderr]) {
    try {
      closeSync(descriptor)
    } catch {
      // The agent had it closed.
    }
  }
}

const kinds = { holds: 1, answers: 2, says: 3, instead: 4, begins: 5 } as const
const fieldsBytes = 24

/** As they are before any hook is loaded. */
const { alloc, from, concat } = Buffer

const frameOf = (
  secret: string,
  kind: number,
  code: number,
  leftMs: number,
  texts: readonly string[],
  isSaid = false
): Buffer => {
  const parts = texts.map((text) => from(text, "utf8"))
  const fields = alloc(fieldsBytes)
  fields[0] = kind
  fields[1] = code
  fields[2] = isSaid ? 1 : 0
  fields.writeUInt32LE(Math.max(1, Math.round(leftMs)), 4)
  for (let at = 0; at < 4; at++) fields.writeUInt32LE(parts[at]?.length ?? 0, 8 + 4 * at)
  return concat([from(`HKH2${secret}`, "latin1"), fields, ...parts, from(secret, "latin1")])
}

/** Goes on where a handler has made the descriptor one that does not wait. */
const patiently = (work: () => number): number => {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
      pause(1)
    }
  }
}

/** As it is before any hook is loaded. */
const kill = process.kill.bind(process)

const gone = (): Error => new Error("a handler closed the way to the agent")

const throughDescriptor = (descriptor: number, secret: string): Hold => {
  const before = identityOf(descriptor)
  let open = before !== "closed"
  const send = (frame: Buffer): boolean => {
    try {
      // A handler may have closed it, and something else may have its number now.
      open &&= identityOf(descriptor) === before
      for (let at = 0; open && at < frame.length; )
        at += patiently(() => writeSync(descriptor, frame, at, frame.length - at))
    } catch {
      // Half a frame may be out, which is none. What was held before stays held.
      open = false
    }
    return open
  }
  const outcome = (): Error | undefined => {
    const four = alloc(4)
    for (let at = 0; at < 4; ) {
      const count = patiently(() => readSync(descriptor, four, at, 4 - at, null))
      if (count === 0) throw gone()
      at += count
    }
    const failed = four.readUInt32LE(0)
    if (failed === 0) return undefined
    const code = process.getBuiltinModule("node:util").getSystemErrorName(-failed)
    return Object.assign(new Error(`${code}: the agent cannot be told`), { code })
  }
  return {
    outlives: true,
    begins: (leftMs) => void send(frameOf(secret, kinds.begins, 0, leftMs, [])),
    give: () => void kill(process.pid, "SIGKILL"),
    // The one about a reply that is not delivered first: a client that does not know it passes over it.
    keep: ({ code, instead, spool, stderr, stdout, tail, undelivered }, leftMs) =>
      send(
        concat([
          frameOf(
            secret,
            kinds.instead,
            instead?.code ?? 0,
            0,
            ["", instead?.stderr ?? "", "", undelivered],
            instead !== undefined
          ),
          frameOf(secret, kinds.holds, code, leftMs, [stdout, stderr, spool, tail])
        ])
      ),
    answering: (code, leftMs) => send(frameOf(secret, kinds.answers, code, leftMs, [])),
    say: (stream, text) => {
      if (text === "") return undefined
      const parts = stream === "stdout" ? [text] : ["", text]
      try {
        return send(frameOf(secret, kinds.says, 0, 0, parts)) ? outcome() : gone()
      } catch (error) {
        return error as Error
      }
    }
  }
}

/** Undefined where nobody outlives this process: the launcher becomes it, a native client stays and names a descriptor. */
export const openHold = (where: string | undefined): Hold | undefined => {
  const [, number, secret] = named.exec(where ?? "") ?? []
  return number === undefined || secret === undefined ? undefined : throughDescriptor(Number(number), secret)
}
