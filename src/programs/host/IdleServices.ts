/** What a host has beside answering, and keeps up to date in moments in which nobody waits: projections, learning. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { Activity } from "./Activity.ts"
import { logFile } from "./eventLogs.ts"
import { HostPlace } from "./HostPlace.ts"
import { hostServiceList } from "./hostServiceList.ts"
import { openHostServices } from "./hostServices.ts"

export class IdleServices extends Effect.Service<IdleServices>()("hooktape/IdleServices", {
  scoped: Effect.gen(function* () {
    const { home, note, state } = yield* HostPlace
    const { isIdle } = yield* Activity
    const list = hostServiceList({ state, file: logFile(state), from: join(home, "host.cjs") })
    return yield* Effect.acquireRelease(
      Effect.sync(() => openHostServices(list, { isIdle, note })),
      ({ end }) => Effect.sync(end)
    )
  })
}) {}
