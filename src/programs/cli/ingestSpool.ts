/** Takes in what was spooled before a command looks at the log, with little patience for others who write it. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { count } from "../../features/timeline/words.ts"
import { EventLog } from "../../log/EventLog.ts"
import { ingest } from "../../log/spool/ingest.ts"
import { listSpool } from "../../log/spool/spoolFiles.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { isBusy } from "../../log/sqlite/sqliteErrors.ts"
import { upkeep } from "../../log/upkeep.ts"
import { privateDirectory } from "../../state/state.ts"
import { deferredCalls } from "../host/deferredCalls.ts"
import { noteTo } from "../host/hostLog.ts"
import { takeLock } from "../host/lock.ts"
import { progressOf } from "../host/progress.ts"
import { takeDeferredCalls } from "../host/takeDeferredCalls.ts"
import { Screen } from "./Screen.ts"
import { hostLock } from "./stopHost.ts"

/** Of asking for its turn: about two seconds of waiting in all. */
export const turns = 1

/** Two seconds of somebody who waits for an answer. */
const patienceMs = 2000

/** Where no host is there to do it, and with its place taken, so that none comes to the same calls at the same moment. */
const takeLeft = Effect.fn("cli.takeLeft")(function* (state: string) {
  const log = yield* EventLog
  if (deferredCalls(spoolDirectory(state)).length === 0) return
  yield* takeLock(hostLock(state), 0)
  yield* Effect.sync(() => privateDirectory(join(state, "logs")))
  yield* Effect.tryPromise(() =>
    takeDeferredCalls({
      state,
      progress: (call) => Effect.runPromise(progressOf(log, state, call)),
      note: noteTo(state),
      patienceMs
    })
  )
}, Effect.scoped)

/** How many files of the spool are left, where another process writes the log all the while; undefined where none had to be. */
export const ingestSpool = Effect.fn("cli.ingestSpool")(function* (state: string, source: string) {
  // A host that is there takes them; of what cannot be taken in doctor tells.
  yield* Effect.ignore(takeLeft(state))
  const taken = yield* ingest(state, source).pipe(
    Effect.as(undefined),
    Effect.catchIf(isBusy, () => Effect.sync(() => listSpool(state).length))
  )
  // It is done another time, by whoever does not have to wait for it.
  if (taken === undefined) yield* Effect.catchIf(upkeep(state, source), isBusy, () => Effect.void)
  return taken
})

const left = (files: number): string =>
  files === 0
    ? "what came last is not shown"
    : `${count(files, "file")} of the spool ${files === 1 ? "waits" : "wait"} to be taken in, and what happened there is not shown`

/** `files` of the spool, or 0 where something else could not be brought up to date. */
export const tellBusy = Effect.fn("cli.tellBusy")(function* (files: number) {
  const { note, style } = yield* Screen
  yield* note(`${style.warn("!")} another process is writing the log: ${left(files)}.\n`)
})
