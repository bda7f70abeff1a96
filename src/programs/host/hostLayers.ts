/** What a host is made of. Each service is made after those below it, and let go of before them: the order of a start, and of an end. */
import * as Layer from "effect/Layer"
import { Activity } from "./Activity.ts"
import { becomeHost } from "./becomeHost.ts"
import { eventLogs } from "./eventLogs.ts"
import { HandlerPlaces } from "./HandlerPlaces.ts"
import { HostActors } from "./HostActors.ts"
import { HostCalls } from "./HostCalls.ts"
import { HostFacts } from "./HostFacts.ts"
import { HostJobs } from "./HostJobs.ts"
import { layerHostPlace } from "./HostPlace.ts"
import { HostReception } from "./HostReception.ts"
import { HostSocket } from "./HostSocket.ts"
import { HostUpkeep } from "./HostUpkeep.ts"
import { HttpDoor } from "./HttpDoor.ts"
import { IdleServices } from "./IdleServices.ts"
import { LogFollowers } from "./LogFollowers.ts"
import { Stopping } from "./Stopping.ts"

/** There from a host's first fact to its last. */
export const ground = (state: string, home: string) =>
  LogFollowers.Default.pipe(
    Layer.provideMerge(Activity.Default),
    Layer.provideMerge(Stopping.Default),
    Layer.provideMerge(HostActors.Default),
    Layer.provideMerge(HostFacts.Default),
    Layer.provideMerge(eventLogs),
    Layer.provideMerge(becomeHost),
    Layer.provideMerge(layerHostPlace(state, home))
  )
export type Ground = Layer.Layer.Success<ReturnType<typeof ground>>

/** There until a host has drained. Over HTTP nobody can go elsewhere: that door is shut after the socket, and after the jobs. */
export const serving = HostSocket.Default.pipe(
  Layer.provideMerge(HostReception.Default),
  Layer.provideMerge(HostJobs.Default),
  Layer.provideMerge(HttpDoor.Default),
  Layer.provideMerge(HostCalls.Default),
  Layer.provideMerge(HandlerPlaces.Default),
  Layer.provideMerge(HostUpkeep.Default),
  Layer.provideMerge(IdleServices.Default)
)
