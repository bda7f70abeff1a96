/** What the command line asks of a running host, over the same socket as hook calls. */

import type { HostServiceStates } from "./hostServices.ts"
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

export const control = (event: string, status: () => HostStatus, stop: (reason: string) => void): Answer => {
  if (event === "status") return { stdout: `${JSON.stringify(status())}\n`, stderr: "", exitCode: 0 }
  if (event === "stop") {
    stop("asked to stop")
    return { stdout: "", stderr: "", exitCode: 0 }
  }
  // Wrong usage: no hook call, and so no agent, comes this way.
  return { stdout: "", stderr: `no such request: ${event}\n`, exitCode: 1 }
}
