/** What the command line asks of a running host, and what it is told. */
import type { ActorFrame, ActorView } from "../actors/ActorView.ts"
import type { WatchEnd } from "../actors/watchers.ts"

/** In place of an agent's name. */
export const controlAgent = "hooktape"

/** Before the id of who watches. */
export const watchRequest = "watch:"

/** Of each service by its name: `ready`, or why it is off. */
export type HostServiceStates = Readonly<Record<string, string>>

export const ready = "ready"

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

export interface WatchAnswer {
  /** Where all stand, with the first answer and after that not again. */
  readonly actors?: readonly ActorView[]
  readonly frames: readonly ActorFrame[]
  readonly end?: WatchEnd
}
