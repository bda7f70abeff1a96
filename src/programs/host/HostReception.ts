/** Where every call to this host comes in, whichever way it came: hook calls, and what the command line asks. */
import * as Effect from "effect/Effect"
import { hostToken } from "../../state/state.ts"
import { Activity } from "./Activity.ts"
import { control } from "./control.ts"
import { HostActors } from "./HostActors.ts"
import { HostCalls } from "./HostCalls.ts"
import { HostPlace } from "./HostPlace.ts"
import { HostUpkeep } from "./HostUpkeep.ts"
import { makeStatus } from "./hostStatus.ts"
import { makeReception, type Reception } from "./reception.ts"
import { Stopping } from "./Stopping.ts"

const maxCalls = 512

export class HostReception extends Effect.Service<HostReception>()("hooktape/HostReception", {
  effect: Effect.gen(function* () {
    const { state } = yield* HostPlace
    const { stop } = yield* Stopping
    const { registry, requests } = yield* HostActors
    const calls = yield* Activity
    const upkeep = yield* HostUpkeep
    const { answer, deferred, sessionOf } = yield* HostCalls
    const status = yield* makeStatus
    const asked = { status: status.whole, stop, actors: registry.actors, watch: requests.next }
    const reception = makeReception({
      answer,
      calls,
      token: hostToken(state),
      most: maxCalls,
      control: (event) => control(event, asked),
      hasLeft: upkeep.hasMore,
      sessionOf,
      before: deferred.ofSession
    })
    const serve: Reception["serve"] = (...call) => {
      const first = upkeep.caughtUp()
      return first ? first.then(() => reception.serve(...call)) : reception.serve(...call)
    }
    return { serve, status: status.short }
  })
}) {}
