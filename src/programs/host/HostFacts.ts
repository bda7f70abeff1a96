/** What a host writes with: its own id, where ids come from, and where facts are kept. */
import * as Effect from "effect/Effect"
import { uuidv7 } from "../../../events/ids.ts"
import { EventLog } from "../../log/EventLog.ts"
import { digestKey } from "../../state/state.ts"
import { makeFactStore } from "./factStore.ts"
import { HostPlace } from "./HostPlace.ts"
import { makeSources } from "./sources.ts"
import { makeWriter } from "./writer.ts"

export class HostFacts extends Effect.Service<HostFacts>()("hooktape/HostFacts", {
  scoped: Effect.gen(function* () {
    const { state } = yield* HostPlace
    const log = yield* EventLog
    const sources = makeSources()
    const id = uuidv7(sources.now(), sources.random(10))
    const key = digestKey(state)
    const { isThere: isLogThere } = log
    const writer = yield* makeWriter(log)
    const factStore = yield* Effect.acquireRelease(
      Effect.sync(() => makeFactStore({ state, writer, sources, key, isLogThere })),
      ({ close }) => Effect.promise(close)
    )
    return { id, sources, key, factStore, isLogThere }
  })
}) {}
