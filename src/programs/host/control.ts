/** What the command line asks of a running host, over the same socket as hook calls. */

import type { ActorView } from "../../runtime/actors/ActorView.ts"
import type { HostServiceStates } from "./hostServices.ts"
import type { WatchRequests } from "./watchRequests.ts"
import type { Answer } from "./wireProtocol.ts"

/** In place of an agent's name. */
export const controlAgent = "hooktape"

/** As `hooktape host status --json` shows it. */
export interface HostStatus {
  readonly pid: number
  readonly build: string
  readonly startedAt: string
  readonly served: number
  readonly underway: number
  /** Processes that run handlers, or are ready to. */
  readonly processes: number
  /** Bytes of memory in use, without those of the processes. */
  readonly memory: number
  readonly port: number | null
  /** What it has beside answering; a host of an older version does not tell. */
  readonly parts?: HostServiceStates
}

export interface ControlOptions {
  readonly status: () => HostStatus
  readonly stop: (reason: string) => void
  readonly actors: () => readonly ActorView[]
  readonly watch: WatchRequests["next"]
}

/** Before the id of who watches. */
export const watchRequest = "watch:"

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
