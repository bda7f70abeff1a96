/** Facts of one invocation onto a log's file, with a connection that is closed again: somebody else, to whoever reads it. */
import * as Effect from "effect/Effect"
import type { InvocationFact } from "../../../events/facts.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { draftOf } from "./drafts.ts"

const invocation = "01890000-0000-7000-8000-000000000000"
const stream = `invocation/${invocation}`

const drafted = (data: InvocationFact) =>
  draftOf(stream, { type: data.type, data, session: "s", agent: "raw" })

export const appendTo = (
  file: string,
  first: InvocationFact,
  ...more: readonly InvocationFact[]
): Promise<unknown> =>
  Effect.runPromise(
    Effect.flatMap(EventLog, ({ append }) =>
      append(stream, "any", [drafted(first), ...more.map(drafted)])
    ).pipe(Effect.provide(layerSqlite({ file, source: "here" })))
  )
