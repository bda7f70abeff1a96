/** Calls that clients left for a host, taken in by whoever reads the log while no host can: handled here, each once. */
import type { InvocationId } from "../../../events/ids.ts"
import { invocationId } from "../../../events/ids.ts"
import { adapters } from "../../agents/adapters.ts"
import { placeOf } from "../../agents/place.ts"
import { eventOf } from "../../state/manifest.ts"
import { findProject } from "../../state/project.ts"
import { hooksFor } from "../dispatch/hooksFor.ts"
import { runHere } from "../dispatch/runHere.ts"
import { dispatchSources } from "../dispatch/sources.ts"
import { monotonic } from "../elapsed.ts"
import type { Head } from "../host/wireProtocol.ts"
import type { ArrivingPayload } from "./arrivingPayload.ts"
import { handleDeferredCalls } from "./deferredCalls.ts"
import { leftEdge } from "./leftEdge.ts"

export interface DeferredRunOptions {
  readonly state: string
  /** How far the log and the spool have it: what died in the middle of it is done again under another id. */
  readonly progress: (call: string) => Promise<"unknown" | "begun" | "ended">
  /** Hears of a file that is no call. */
  readonly note: (problem: string) => void
  /** After so many milliseconds the rest is left for the next one. */
  readonly patienceMs: number
}

/** Somebody waits for the command. */
const payloadMs = 1000

/** Returns how many were taken in. The caller holds the host's place, so that nobody else does the same. */
export const takeDeferredCalls = ({
  note,
  patienceMs,
  progress,
  state
}: DeferredRunOptions): Promise<number> => {
  const until = monotonic() + patienceMs
  const serve = async (head: Head, payload: ArrivingPayload): Promise<void> => {
    const { agent, agentEvent, call, environment } = head
    const adapter = Object.hasOwn(adapters, agent) ? adapters[agent as keyof typeof adapters] : undefined
    // What a client of another build left for an agent that this one does not know.
    if (adapter === undefined) throw new Error(`no agent is called ${agent}`)
    const known = await progress(call)
    if (known === "ended") return
    const cwd = placeOf(agent, head.cwd, environment.get)
    const project = findProject(cwd)
    payload.end()
    const received = await payload.received(payloadMs)
    await runHere({
      id: known === "unknown" ? (call as InvocationId) : invocationId(dispatchSources),
      state,
      project,
      cwd,
      adapter,
      agentEvent,
      env: environment.get,
      call,
      route: "client",
      edge: leftEdge(adapter, agentEvent, "command"),
      client: head.started && { startUs: head.started.at, tookUs: head.started.took },
      hooks: hooksFor(state, project, agentEvent, (manifest) => eventOf(manifest, agent, agentEvent)),
      read: () => received
    })
  }
  return handleDeferredCalls({ state, serve, note, isOver: () => monotonic() >= until })
}
