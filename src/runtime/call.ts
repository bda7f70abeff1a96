/** What the loader hands to the bundle it starts: one hook call, before anything of it was read. */
import type { Client, ServiceCalled } from "../../events/facts.ts"
import type { InvocationId } from "../../events/ids.ts"
import type { FailureHints } from "../history/failureHints.ts"
import type { Past } from "../history/Past.ts"
import type { Guard } from "../state/manifest.ts"
import type { LateRun } from "./services/handlerServices.ts"

export interface Call {
  readonly agent: string
  readonly agentEvent: string
  /** What a client called it before it came here. */
  readonly id?: string | undefined
  /** When that client started. */
  readonly client?: Client | undefined
  /** The state directory. */
  readonly state: string
  readonly project: string
  readonly cwd: string
  /** Content hash of the build, which stands in no bundle: what is the same in two builds is the same file. A loader of before does not say. */
  readonly build?: string | undefined
  /** Content hash of the settings that the build was made with. */
  readonly config?: string | undefined
  readonly deadlineMs: number
  /** Where the agent reads, where nobody holds a reply. */
  readonly stdout: number
  readonly stderr: number
  /** Path prefix of the files that standard output and error were sent to, where a launcher did so. */
  readonly noise?: string | undefined
  /** The way to whoever outlives this process and answers the agent, if anybody does. */
  readonly hold?: string | undefined
  /** Monotonic milliseconds at which the call began. */
  readonly began: number
  /** The hooks of its build that stand guard: what its session began with is compared with them. */
  readonly guards?: readonly Guard[]
  /** Those of them that the bundle does not have: their own is gone, and what was kept of them runs. */
  readonly lost?: readonly Guard[] | undefined
  /** What is wrong with the directory that this process was started in. */
  readonly directory?: string | undefined
  /** What the loader itself has to report, such as a rebuild that failed. Named as builds of before know it. */
  readonly remarks: readonly string[]
  /** The same for the human, such as hook files that are no longer trusted. */
  readonly hints: readonly string[]
  /** In a replay: the invocation that handlers are told of. */
  readonly invocation?: InvocationId | undefined
  /** In a replay: what the handlers were answered by services. Nothing else answers then. */
  readonly recorded?: readonly ServiceCalled[] | undefined
  /** In a replay: the runs of handlers that ran out of time then. */
  readonly late?: readonly LateRun[] | undefined
  /** What is known of the calls before it; else the log tells. */
  readonly past?: Past
  /** In a replay: of which failures the human was told. */
  readonly failureHints?: FailureHints
  /** Called once, after the reply has left. */
  readonly ended: () => void
}

const slot = Symbol.for("hooktape/call")
const taking = Symbol.for("hooktape/call taken")

export const handOver = (call: Call): void => {
  ;(globalThis as unknown as Record<symbol, Call>)[slot] = call
}

export const handedOver = (): Call => {
  const call = (globalThis as unknown as Record<symbol, Call | undefined>)[slot]
  if (!call) throw new Error("this bundle is started by hooktape's loader, not by itself")
  ;(globalThis as unknown as Record<symbol, boolean>)[taking] = true
  return call
}

/** The call that a bundle is loaded for, if it is for one: it may not have been taken yet. */
export const callUnderWay = (): Call | undefined =>
  (globalThis as unknown as Record<symbol, Call | undefined>)[slot]

/** Whether a bundle took the call: an emptied file would otherwise answer for its hooks with silence. */
export const taken = (): boolean =>
  (globalThis as unknown as Record<symbol, boolean | undefined>)[taking] === true
