/** One of many writers: appends to a stream of its own and, in turn, to one it shares, reading its version first. */
import * as Effect from "effect/Effect"
import { uuidv7 } from "../../../events/ids.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { draftOf } from "./drafts.ts"

const [file = "", writer = "0", count = "0"] = process.argv.slice(2)

const id = (n: number) => {
  const random = new Uint8Array(10)
  new DataView(random.buffer).setUint32(2, Number(writer))
  new DataView(random.buffer).setUint32(6, n)
  return uuidv7(1_760_000_000_000, random) as never
}

const appendAll = Effect.gen(function* () {
  const log = yield* EventLog
  for (let n = 0; n < Number(count); n++) {
    const stream = n % 2 === 0 ? `own/${writer}` : "shared"
    const draft = draftOf(stream, { id: id(n) })
    yield* log.append(stream, n % 2 === 0 ? { exact: n / 2 } : "any", [draft])
    // Sending the same again must change nothing.
    yield* log.append(stream, "any", [draft])
  }
})

Effect.runPromise(Effect.provide(appendAll, layerSqlite({ file, source: `writer-${writer}` }))).catch(
  (cause) => {
    process.stderr.write(`${cause}\n`)
    process.exitCode = 1
  }
)
