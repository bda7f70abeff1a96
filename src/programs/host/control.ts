/** What the command line asks of a running host, over the same socket as hook calls. */

import type { ActorView } from "../../runtime/actors/ActorView.ts"
import { type HostStatus, watchRequest } from "../../runtime/host/requests.ts"
import type { Answer } from "../../runtime/host/wireProtocol.ts"
import type { WatchRequests } from "./watchRequests.ts"

export interface ControlOptions {
  readonly status: () => HostStatus
  readonly stop: (reason: string) => void
  readonly actors: () => readonly ActorView[]
  readonly watch: WatchRequests["next"]
}

const answered = (value: unknown): Answer => ({
  stdout: `${JSON.stringify(value)}\n`,
  stderr: "",
  exitCode: 0
})

export const control = async (
  event: string,
  { actors, status, stop, watch }: ControlOptions
): Promise<Answer> => {
  if (event === "status") return answered(status())
  if (event === "actors") return answered({ actors: actors() })
  if (event.startsWith(watchRequest)) return answered(await watch(event.slice(watchRequest.length)))
  if (event === "stop") {
    stop("asked to stop")
    return { stdout: "", stderr: "", exitCode: 0 }
  }
  // Wrong usage: no hook call, and so no agent, comes this way.
  return { stdout: "", stderr: `no such request: ${event}\n`, exitCode: 1 }
}
