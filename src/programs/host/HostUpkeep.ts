/** The upkeep of this host's state directory. */
import * as Effect from "effect/Effect"
import { installationId } from "../../state/state.ts"
import { HostFacts } from "./HostFacts.ts"
import { HostPlace } from "./HostPlace.ts"
import { makeUpkeep } from "./upkeep.ts"

export class HostUpkeep extends Effect.Service<HostUpkeep>()("hooktape/HostUpkeep", {
  scoped: Effect.gen(function* () {
    const { state } = yield* HostPlace
    const { factStore } = yield* HostFacts
    return yield* makeUpkeep({ state, source: installationId(state), own: factStore.journal })
  })
}) {}
