/** What was imported has a bound of its own, and takes no place from what was recorded: the session that ended first goes first. */
import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { newFactId } from "../../events/ids.ts"
import { makeDraft } from "../../events/makeDraft.ts"
import { observedPrefix } from "../../events/observedStream.ts"
import { redactDraft } from "../redact/redact.ts"
import { EventLog } from "./EventLog.ts"

/** Two gigabytes; of age there is no bound. */
export const maxImportedBytes = 2_000_000_000

export interface Shares {
  /** What recorded calls take of the file, with their part of the tables that are made of it. */
  readonly recorded: number
  readonly imported: number
  readonly sessions: number
}

/** The file as it is divided between what was recorded and what was imported. */
export const sharesOf = Effect.gen(function* () {
  const log = yield* EventLog
  const { bytes } = yield* log.stats
  const { inside, outside } = yield* log.sizes(observedPrefix)
  const held = inside.reduce((sum, one) => sum + one.bytes, 0)
  const imported = held + outside === 0 ? 0 : Math.round((bytes * held) / (held + outside))
  return { recorded: bytes - imported, imported, sessions: inside.length } satisfies Shares
})

const truncated = (source: string, at: number, sessions: number, most: number) =>
  redactDraft(
    makeDraft(
      {
        type: "LOG_TRUNCATED",
        before: 0,
        invocations: 0,
        reason: `${sessions} imported ${sessions === 1 ? "session" : "sessions"}: more than ${most} bytes`
      },
      { id: newFactId(at, randomBytes), stream: `operator/${source}`, at }
    )
  )

/** How many sessions went. */
export const retainImported = Effect.fn("EventLog.retainImported")(function* (
  source: string,
  most: number = maxImportedBytes
) {
  const log = yield* EventLog
  const { imported } = yield* sharesOf
  if (imported <= most) return 0
  const { inside } = yield* log.sizes(observedPrefix)
  const held = inside.reduce((sum, one) => sum + one.bytes, 0)
  const gone: string[] = []
  let left = imported
  for (const { bytes, stream } of [...inside].sort((a, b) => a.newest - b.newest)) {
    if (left <= most) break
    gone.push(stream)
    left -= (imported * bytes) / held
  }
  yield* log.forget(gone)
  const now = yield* Clock.currentTimeMillis
  yield* log.append(`operator/${source}`, "any", [truncated(source, now, gone.length, most)])
  return gone.length
})
