/** A process with a queue on a log, to be killed in the middle of its work: it never ends a job that it may not end. */
import * as Effect from "effect/Effect"
import { makeQueue } from "../../../src/jobs/queue.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"

const [file = ""] = process.argv.slice(2)

const work = Effect.gen(function* () {
  yield* makeQueue({
    runners: { test: ({ enqueued }) => (enqueued.input === "hang" ? Effect.never : Effect.succeed({})) }
  })
  yield* Effect.never
})

Effect.runPromise(Effect.provide(Effect.scoped(work), layerSqlite({ file, source: "worker" }))).catch(
  (cause) => {
    process.stderr.write(`${cause}\n`)
    process.exitCode = 1
  }
)
