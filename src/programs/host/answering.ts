/** How a call is answered: by the build that serves its directory, within the time that its agent has. */
import type { Client } from "../../../events/facts.ts"
import { type InvocationId, isUuid, timeOf } from "../../../events/ids.ts"
import { deadlineOf, patienceOf } from "../../agents/deadline.ts"
import { placeOf } from "../../agents/place.ts"
import { isLacking, isWatched } from "../../runtime/builds/reach.ts"
import type { Refreshed } from "../../runtime/builds/refresh.ts"
import { clientOf } from "../../runtime/clientTime.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { CallDeclined } from "../../runtime/host/declined.ts"
import type { Answer, Head } from "../../runtime/host/wireProtocol.ts"
import type { ArrivingPayload } from "../../runtime/leftCalls/arrivingPayload.ts"
import type { ReceivedPayload } from "../../runtime/stdin.ts"
import type { Builds } from "./builds.ts"
import { invoke, type Shared } from "./invoke.ts"
import { completed } from "./leftEnvironment.ts"
import type { Routes } from "./routes.ts"
import type { Peer } from "./socketServer.ts"

export interface Answering {
  readonly answer: (
    head: Head,
    payload: ArrivingPayload,
    peer: Peer,
    transport: "socket" | "http",
    arrival: Arrival
  ) => Promise<Answer>
  /** A call that its client left behind. `isNew`: nobody can have begun it. */
  readonly takeLeft: (head: Head, payload: ArrivingPayload, isNew: boolean) => Promise<void>
}

export interface AnsweringOptions {
  readonly shared: Shared
  readonly builds: Builds
  /** Told of a call that was answered here: calls like it may not have to come. */
  readonly routes: Routes
  /** How far an invocation has come that may be on the log. */
  readonly progress: (invocation: string) => Promise<"unknown" | "begun" | "ended">
  /** Told of one that was left, once it is answered. */
  readonly touched: () => void
}

export const tooMuch = "the host has more to do than it can"

/** A process that overran its deadline is ended, another one started, the facts committed: what may come after a deadline. */
const endingMs = 4000

/** What is particular about the way a call came. */
export interface Arrival {
  /** How many calls were there before it, where that were too many. */
  readonly crowd?: number
  /** Waited for once its payload is there. */
  readonly before?: (received: ReceivedPayload, deadlineMs: number) => Promise<unknown>
  /** Its client answered it and left it. */
  readonly isLeft?: boolean
  readonly left?: InvocationId | undefined
}

/** One whose client is gone. */
const nobody: Peer = { isDisconnected: () => false, expect: () => undefined }

export const makeAnswering = ({ builds, progress, routes, shared, touched }: AnsweringOptions): Answering => {
  /** What nobody has to be asked for next time. With something to say of its build every call is asked. */
  const told = ({ agent, agentEvent, cwd }: Head, project: string, found: Refreshed): void => {
    if (found.rebuilt || found.warnings.length + found.hints.length + (found.lost ?? []).length > 0) return
    routes.asked({ agent, agentEvent, directory: cwd, project, manifest: found.manifest })
  }

  const answer: Answering["answer"] = async (
    head,
    payload,
    peer,
    transport,
    { before, crowd = 0, isLeft = false, left }
  ) => {
    const began = monotonic()
    const { agent, agentEvent } = head
    const cwd = placeOf(agent, head.cwd, head.environment.get)
    // One that does not say when it was asked, as over HTTP, came now.
    const askedAt = timeOf(head.call) || Date.now()
    const { project, found } = await builds.serving(cwd, patienceOf({ agent, agentEvent }), askedAt)
    if (!found) throw new CallDeclined(`nothing is built for ${project}`)
    const isNeeded = isWatched(found.manifest, agent, agentEvent) || isLacking(found, agent, agentEvent)
    if (crowd > 0 && isNeeded) throw new CallDeclined(tooMuch)
    const at = found.rebuilt ? monotonic() : began
    const { started } = head
    const client: Client | undefined =
      started === undefined
        ? undefined
        : isLeft
          ? { startUs: started.at, tookUs: started.took }
          : clientOf(started.at, started.monotonic, at)
    const deadlineMs = deadlineOf({ agent, agentEvent }, found.manifest, (client?.beforeUs ?? 0) / 1000)
    peer.expect(monotonic() + deadlineMs + endingMs)
    const received = await payload.received(Math.max(1, deadlineMs - (monotonic() - at)))
    await before?.(received, deadlineMs)
    const delivery = await invoke(shared, {
      agent,
      agentEvent,
      cwd,
      project,
      call: head.call,
      environment: head.environment,
      transport,
      deadlineMs,
      began: at,
      client,
      found,
      received,
      isDisconnected: peer.isDisconnected,
      ...(crowd === 0 ? {} : { crowd }),
      ...(isLeft ? { isLeft } : {}),
      ...(left === undefined ? {} : { left })
    })
    // Once the reply is out: a look at so many files would be on its time.
    if (!isLeft && transport === "socket" && cwd === head.cwd) setImmediate(told, head, project, found)
    return delivery
  }

  return {
    answer,
    takeLeft: async (head, payload, isNew) => {
      const known = isNew ? "unknown" : await progress(head.call)
      // What a host that is gone had begun is on the log as lost; it is done again under another id.
      if (known === "ended") return
      const left = known === "unknown" && isUuid(head.call) ? (head.call as InvocationId) : undefined
      payload.end()
      const { environment, cwd } = head
      const all = completed(environment.all(), cwd, process.env)
      const whole = { ...head, environment: { get: (name: string) => all[name], all: () => all } }
      await answer(whole, payload, nobody, "socket", { isLeft: true, left })
      touched()
    }
  }
}
