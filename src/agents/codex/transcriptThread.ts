/** Where in its thread a row of a rollout stands: which session, turn, folder and model; what is a copy of another thread is passed over. */
import { timeOf } from "../../../events/ids.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { CallObserved } from "../../../events/observedFacts.ts"
import { present } from "../decode.ts"
import { textAt, timeAt } from "../transcripts/rows.ts"

const modes: Readonly<Record<string, string>> = {
  never: "bypassPermissions",
  "on-request": "default",
  "on-failure": "default",
  untrusted: "default"
}

const isTimed = (id: string | undefined): id is string =>
  id !== undefined && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id)

/** What every fact of it says. */
type Place = Pick<CallObserved, "cwd" | "turn" | "subagent" | "agentVersion">

export interface CodexThread {
  /** Empty until the file has said it. */
  readonly session: string
  readonly model: string
  readonly mode: string | undefined
  readonly cwd: string | undefined
  /** When the row was written, milliseconds; as the one before where it does not say. */
  readonly at: number
  /** Where the row begins, and where its turn did, in bytes. */
  readonly offset: number
  readonly turnAt: number
  readonly isCopy: boolean
  readonly place: () => Place
  readonly toRow: (row: JsonObject, offset: number) => void
  readonly meta: (payload: JsonObject) => void
  readonly beginTurn: (id: string | undefined) => void
  readonly inContext: (payload: JsonObject) => void
}

export const makeThread = (): CodexThread => {
  let session = ""
  let isCopy = false
  let cwd: string | undefined
  let version: string | undefined
  let turn: string | undefined
  let model = "unknown"
  let mode: string | undefined
  let subagent: string | undefined
  let turnAt = 0
  let offset = 0
  let at = 0

  /** The first turn that was begun after the thread was is its own. */
  const leaveCopy = (id: string | undefined): void => {
    if (!isCopy) return
    isCopy = isTimed(id) && isTimed(session) ? timeOf(id) < timeOf(session) : id === undefined
  }

  return {
    get session() {
      return session
    },
    get model() {
      return model
    },
    get mode() {
      return mode
    },
    get cwd() {
      return cwd
    },
    get at() {
      return at
    },
    get offset() {
      return offset
    },
    get turnAt() {
      return turnAt
    },
    get isCopy() {
      return isCopy
    },
    place: () => ({
      ...present("cwd", cwd),
      ...present("turn", turn),
      ...present("subagent", subagent),
      ...present("agentVersion", version)
    }),
    toRow: (row, from) => {
      offset = from
      at = timeAt(row) ?? at
    },
    meta: (payload) => {
      const id = textAt(payload, "id") ?? textAt(payload, "session_id")
      if (id === undefined) return
      if (session === "") {
        session = id
        cwd = textAt(payload, "cwd")
        version = textAt(payload, "cli_version")
        const parent = textAt(payload, "parent_thread_id")
        if (parent !== undefined && parent !== id) subagent = id
        isCopy = textAt(payload, "forked_from_id") !== undefined
        return
      }
      // The thread's own again, when it is resumed; another's before a copy of that one's history.
      isCopy = id !== session
      if (!isCopy) cwd = textAt(payload, "cwd") ?? cwd
    },
    beginTurn: (id) => {
      leaveCopy(id)
      if (isCopy) return
      if (id !== turn) turnAt = offset
      turn = id ?? turn
    },
    inContext: (payload) => {
      cwd = textAt(payload, "cwd") ?? cwd
      model = textAt(payload, "model") ?? model
      mode = modes[textAt(payload, "approval_policy") ?? ""] ?? mode
    }
  }
}
