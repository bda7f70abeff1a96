/** Waits for what jobs come to, whoever runs them. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Recorded } from "../../../events/Recorded.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"

/** Reads the facts of jobs until they say what is waited for; as long as the test lasts. */
export const untilJobs = (
  state: string,
  is: (facts: readonly Recorded[]) => boolean
): Promise<readonly Recorded[]> => {
  const recorded: Recorded[] = []
  return Effect.flatMap(EventLog, (log) =>
    Stream.runForEachWhile(log.follow(0, { streamPrefix: "job/" }), (fact) =>
      Effect.sync(() => {
        recorded.push(fact)
        return !is(recorded)
      })
    )
  ).pipe(
    Effect.as(recorded),
    Effect.provide(Layer.fresh(layerSqlite({ file: join(state, "log.sqlite"), source: "test", pollMs: 20 }))),
    Effect.runPromise
  )
}
