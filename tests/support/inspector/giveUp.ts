/** The first job on a station's log fails until no attempt is left, as a host would have it. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { JobFact } from "../../../events/facts.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import type { Station } from "../entrypoint.ts"
import * as job from "../jobs/facts.ts"
import { draftOf } from "../log/drafts.ts"

type Enqueued = Extract<JobFact, { type: "JOB_ENQUEUED" }>

/** The invocation that it went on after. */
export const giveUp = async (place: Station, message: string): Promise<string> => {
  const found = (await place.facts()).find(({ type }) => type === "JOB_ENQUEUED")
  if (found === undefined) throw new Error("there is no job")
  const { invocation = "", maxAttempts } = found.data as Enqueued
  const error = { name: "Error", message, stack: `Error: ${message}\n    at run (/p/hooks/later.ts:7:11)` }
  const attempts = Array.from({ length: maxAttempts }, (_, nth): readonly JobFact[] => [
    job.started(nth + 1),
    {
      type: "JOB_FAILED",
      attempt: nth + 1,
      error,
      ms: 1,
      ...(nth + 1 < maxAttempts ? { retryAt: found.at } : {})
    }
  ]).flat()
  const facts: readonly JobFact[] = [...attempts, { type: "JOB_DIED", attempts: maxAttempts, error }]
  const drafts = facts.map((data) => draftOf(found.stream, { type: data.type, data, at: found.at }))
  await Effect.gen(function* () {
    const { append } = yield* EventLog
    for (const draft of drafts) yield* append(found.stream, "any", [draft])
  }).pipe(
    Effect.provide(layerSqlite({ file: join(place.state, "log.sqlite"), source: "here" })),
    Effect.runPromise
  )
  return invocation
}
