/** Calls that clients left behind where no host was: handled now, each once, as if it had been asked then. */
import { renameSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import { isSealed, openFrame } from "../../log/sealedFrame.ts"
import { deferredCalls, frameEnding } from "../../log/spool/deferredFiles.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { messageOf } from "../../state/messageOf.ts"
import { digestKey, privateDirectory, readPrivate, StateError } from "../../state/state.ts"
import { CallDeclined, FallbackRequired } from "../host/declined.ts"
import { type Head, makeRequestReader } from "../host/wireProtocol.ts"
import { payloadLimit } from "../payload.ts"
import type { ReceivedPayload } from "../stdin.ts"
import { type ArrivingPayload, makeArriving } from "./arrivingPayload.ts"

export interface DeferredCallsOptions {
  readonly state: string
  /** Handles one that was not handled before. `isNew`: nobody can have begun it. */
  readonly serve: (head: Head, payload: ArrivingPayload, isNew: boolean) => Promise<unknown>
  /** Hears of one that is no frame. */
  readonly note: (problem: string) => void
  /** Takes away the file of one that was handled. */
  readonly putAway?: (file: string) => void
  /** Whether the rest is left for another time. */
  readonly isOver?: () => boolean
}

/** The request in a file. Clients before 0.2 left it as it was. */
const requestIn = (state: string, name: string, bytes: Buffer): Buffer | undefined =>
  isSealed(bytes) ? openFrame(digestKey(state), name.slice(0, -frameEnding.length), bytes) : bytes

/** What a client wrote, or why it is none of it. */
const parse = (
  bytes: Buffer | undefined
): { readonly head: Head; readonly payload: ArrivingPayload } | string => {
  if (bytes === undefined) return "it was not sealed under this installation's key, or is damaged"
  const payload = makeArriving(payloadLimit)
  let found: Head | undefined
  let problem = "it holds no whole head"
  makeRequestReader({
    head: (head) => {
      found = head
    },
    chunk: payload.chunk,
    end: payload.end,
    broken: (reason) => {
      problem = reason
    }
  })(bytes)
  return found ? { head: found, payload } : problem
}

const setAside = (spool: string, name: string): void => {
  renameSync(join(spool, name), join(privateDirectory(join(spool, "errors")), name))
}

/** No client of this user wrote it. */
const isForeign = (error: unknown): boolean => error instanceof StateError && error.reason !== "io"

/** Handles one, and takes it away. False where another host was faster, or where it stays for the next time. */
const takeOne = async (
  { note, putAway = unlinkSync, serve, state }: DeferredCallsOptions,
  name: string,
  isNew = false
): Promise<boolean> => {
  const spool = spoolDirectory(state)
  try {
    const bytes = readPrivate(join(spool, name))
    if (bytes === undefined) return false
    const one = parse(requestIn(state, name, bytes))
    if (typeof one === "string") {
      note(`${name}: ${one}; it is in ${join(spool, "errors")}`)
      setAside(spool, name)
      return false
    }
    await serve(one.head, one.payload, isNew)
    // After it is on the log: a host that dies in between finds it there.
    putAway(join(spool, name))
    return true
  } catch (error) {
    note(`${name}: ${messageOf(error)}`)
    // Anything else may pass: it stays for the next round, or for the next host.
    if (error instanceof CallDeclined || error instanceof FallbackRequired || isForeign(error))
      setAside(spool, name)
    return false
  }
}

/** All that are there, in the order in which they were left. */
export const handleDeferredCalls = async (options: DeferredCallsOptions): Promise<number> => {
  let taken = 0
  for (const name of deferredCalls(spoolDirectory(options.state))) {
    if (options.isOver?.()) break
    if (await takeOne(options, name)) taken++
  }
  return taken
}

/** The session that a call is of, as its agent's payloads name it. */
export type SessionOf = (head: Head, payload: ReceivedPayload) => string | null

export interface DeferredCalls {
  /** All that are there. */
  readonly all: () => Promise<void>
  /** What a session left, before a call of it is opened. */
  readonly ofSession: (session: string) => Promise<void>
}

/** For a host, which takes them in at any time, each once: who needs one that is being taken in waits for it. */
export const makeDeferredCalls = (
  options: Omit<DeferredCallsOptions, "isOver">,
  sessionOf: SessionOf
): DeferredCalls => {
  const { state } = options
  const spool = spoolDirectory(state)
  const underway = new Map<string, Promise<unknown>>()
  /** Those that a host before this one, or a try before, may have begun. */
  const old = new Set(deferredCalls(spool))
  /** Of what was looked at and is of another session. */
  const known = new Map<string, string | null>()

  const take = (name: string): Promise<unknown> => {
    const there = underway.get(name)
    if (there) return there
    const isNew = !old.has(name)
    old.add(name)
    const taking = takeOne(options, name, isNew).finally(() => underway.delete(name))
    underway.set(name, taking)
    return taking
  }
  const sessionIn = async (name: string): Promise<string | null> => {
    const bytes = readPrivate(join(spool, name))
    const one = bytes && parse(requestIn(state, name, bytes))
    if (one === undefined || typeof one === "string") return null
    one.payload.end()
    return sessionOf(one.head, await one.payload.received(1))
  }
  const isOf = async (name: string, session: string): Promise<boolean> => {
    try {
      const found = known.get(name) ?? (await sessionIn(name))
      known.set(name, found)
      return found === session
    } catch {
      // Whoever takes in all of them says why it cannot be read.
      return false
    }
  }
  return {
    all: async () => {
      const names = deferredCalls(spool)
      const there = new Set(names)
      for (const name of known.keys()) if (!there.has(name)) known.delete(name)
      for (const name of old) if (!there.has(name)) old.delete(name)
      for (const name of names) {
        await take(name)
        // Those who wait for an answer come in between.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    ofSession: async (session) => {
      for (const name of deferredCalls(spool)) if (await isOf(name, session)) await take(name)
    }
  }
}
