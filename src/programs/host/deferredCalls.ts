/** Calls that clients left behind where no host was: handled now, each once, as if it had been asked then. */
import { lstatSync, readdirSync, renameSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import { isSealed, openFrame } from "../../log/sealedFrame.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { payloadLimit } from "../../runtime/payload.ts"
import { messageOf } from "../../state/messageOf.ts"
import { digestKey, privateDirectory, readPrivate, StateError } from "../../state/state.ts"
import { type ArrivingPayload, makeArriving } from "./arrivingPayload.ts"
import { FallbackRequired } from "./remoteHandling.ts"
import { CallDeclined } from "./socketServer.ts"
import { type Head, makeRequestReader } from "./wireProtocol.ts"

const ending = ".frame"

export interface DeferredCallsOptions {
  readonly state: string
  /** Handles one that was not handled before. */
  readonly serve: (head: Head, payload: ArrivingPayload) => Promise<unknown>
  /** Hears of one that is no frame. */
  readonly note: (problem: string) => void
  /** Whether the rest is left for another time. */
  readonly isOver?: () => boolean
}

/** The names of calls that wait in a spool. */
export const deferredCalls = (spool: string): readonly string[] => {
  try {
    // Through a link it would be somebody else's.
    if (!lstatSync(spool).isDirectory()) return []
    return readdirSync(spool)
      .filter((name) => name.endsWith(ending))
      .sort()
  } catch {
    return []
  }
}

/** The request in a file. Clients before 0.2 left it as it was. */
const requestIn = (state: string, name: string, bytes: Buffer): Buffer | undefined =>
  isSealed(bytes) ? openFrame(digestKey(state), name.slice(0, -ending.length), bytes) : bytes

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

/** All that are there, in the order in which they were left. */
export const handleDeferredCalls = async ({
  isOver,
  state,
  serve,
  note
}: DeferredCallsOptions): Promise<number> => {
  const spool = spoolDirectory(state)
  let taken = 0
  for (const name of deferredCalls(spool)) {
    if (isOver?.()) break
    try {
      const bytes = readPrivate(join(spool, name))
      // Another host was faster.
      if (bytes === undefined) continue
      const one = parse(requestIn(state, name, bytes))
      if (typeof one === "string") {
        note(`${name}: ${one}; it is in ${join(spool, "errors")}`)
        setAside(spool, name)
        continue
      }
      await serve(one.head, one.payload)
      // After it is on the log: a host that dies in between finds it there.
      unlinkSync(join(spool, name))
      taken++
    } catch (error) {
      note(`${name}: ${messageOf(error)}`)
      // Anything else may pass: it stays for the next round, or for the next host.
      if (error instanceof CallDeclined || error instanceof FallbackRequired || isForeign(error))
        setAside(spool, name)
    }
  }
  return taken
}
