/** Takes in what was spooled before a command looks at the log, with little patience for others who write it. */
import * as Effect from "effect/Effect"
import { count } from "../../features/timeline/words.ts"
import { deferredCalls } from "../../log/spool/deferredFiles.ts"
import { ingest } from "../../log/spool/ingest.ts"
import { listSpool } from "../../log/spool/spoolFiles.ts"
import { spoolDirectory } from "../../log/spool/spoolWriter.ts"
import { isBusy } from "../../log/sqlite/sqliteErrors.ts"
import { upkeep } from "../../log/upkeep.ts"
import { Screen } from "./Screen.ts"

/** Of asking for its turn: a second and a half of waiting in all, so that an answer comes within three. */
export const turns = 0

/** Asked once a day. */
const shippedUpTo = (state: string) =>
  Effect.flatMap(
    Effect.promise(() => import("../../tools/shipping/position.ts")),
    (position) => position.shippedUpTo(state)
  )

/** What doing it takes is loaded only where something was left. */
const takeLeft = Effect.fn("cli.takeLeft")(function* (state: string) {
  if (deferredCalls(spoolDirectory(state)).length === 0) return
  const { takeLeftCalls } = yield* Effect.promise(() => import("./takeLeftCalls.ts"))
  yield* takeLeftCalls(state)
})

/** How many files of the spool are left, where another process writes the log all the while; undefined where none had to be. */
export const ingestSpool = Effect.fn("cli.ingestSpool")(function* (state: string, source: string) {
  // A host that is there takes them; of what cannot be taken in doctor tells.
  yield* Effect.ignore(takeLeft(state))
  const taken = yield* ingest(state, source).pipe(
    Effect.as(undefined),
    Effect.catchIf(isBusy, () => Effect.sync(() => listSpool(state).length))
  )
  // It is done another time, by whoever does not have to wait for it.
  if (taken === undefined)
    yield* Effect.catchIf(upkeep(state, source, shippedUpTo(state)), isBusy, () => Effect.void)
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
