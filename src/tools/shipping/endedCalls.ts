/** The hook calls that end within a batch, each with all that the log has of it. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EventLogShape } from "../../log/EventLog.ts"
import type { Batch } from "./Courier.ts"
import { type HookCall, hookCallOf } from "./otlp/HookCall.ts"

export const endedCalls = (log: EventLogShape, facts: Batch) =>
  Effect.forEach(
    facts.filter(({ type }) => type === "EXITED"),
    ({ stream }) =>
      Effect.map(Stream.runCollect(log.read({ stream })), (found) => hookCallOf(Chunk.toReadonlyArray(found)))
  ).pipe(Effect.map((calls) => calls.filter((call): call is HookCall => call !== undefined)))
