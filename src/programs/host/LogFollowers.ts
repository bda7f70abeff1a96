/** Whoever follows the log for as long as there is a host: sinks, the breaker, sessions. */
import * as Effect from "effect/Effect"
import { EventLog } from "../../log/EventLog.ts"
import { Activity } from "./Activity.ts"
import { startBreakerActor } from "./breakerActor.ts"
import { FollowedLog } from "./eventLogs.ts"
import { HostActors } from "./HostActors.ts"
import { HostFacts } from "./HostFacts.ts"
import { HostPlace } from "./HostPlace.ts"
import { startSessionActors } from "./sessionActors.ts"
import { startShipping } from "./shipping.ts"

export class LogFollowers extends Effect.Service<LogFollowers>()("hooktape/LogFollowers", {
  scoped: Effect.gen(function* () {
    const { note, state } = yield* HostPlace
    const { sources } = yield* HostFacts
    const { registry } = yield* HostActors
    const { isIdle } = yield* Activity
    const log = yield* FollowedLog
    yield* startShipping({ state, log: yield* EventLog, isIdle, note })
    yield* startBreakerActor({ log, registry, note })
    const sessions = yield* startSessionActors({ log, registry, sources, isIdle, note })
    return { states: () => ({ sessions: sessions.state() }) }
  })
}) {}
