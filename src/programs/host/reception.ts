/** What every call passes before it is handled: who sent it, whether there is room, which build serves it. */
import { type InvocationId, isUuid } from "../../../events/ids.ts"
import { deadlineOf, patienceOf } from "../../agents/deadline.ts"
import { placeOf } from "../../agents/place.ts"
import { isWatched } from "../../runtime/builds/reach.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import type { ArrivingPayload } from "./arrivingPayload.ts"
import type { Builds } from "./builds.ts"
import { controlAgent } from "./control.ts"
import { invoke, type Shared } from "./invoke.ts"
import { completed } from "./leftEnvironment.ts"
import { CallDeclined, type Peer } from "./socketServer.ts"
import type { Answer, Head } from "./wireProtocol.ts"

export interface Reception {
  /** A call that its client left behind. */
  readonly takeLeft: (head: Head, payload: ArrivingPayload) => Promise<void>
  readonly serve: (
    head: Head,
    payload: ArrivingPayload,
    peer: Peer,
    transport: "socket" | "http"
  ) => Promise<Answer>
  readonly served: () => number
  readonly underway: () => number
  /** Monotonic milliseconds of the last call's end, or of the start. */
  readonly lastActive: () => number
}

export interface ReceptionOptions {
  readonly shared: Shared
  readonly builds: Builds
  readonly token: string
  /** At more than so many at once no handler runs: what is no guard's is answered neutrally at once. */
  readonly most: number
  readonly noticed: () => void
  readonly control: (event: string) => Answer
  /** How far an invocation has come that may be on the log. */
  readonly ended: (invocation: string) => Promise<"unknown" | "begun" | "ended">
}

const tooMuch = "the host has more to do than it can"
/** Even what is answered at once has to be taken in and recorded. */
const maxWaiting = 4

/** A process that overran its deadline is ended, another one started, the facts committed: what may come after a deadline. */
const endingMs = 4000

export const makeReception = (options: ReceptionOptions): Reception => {
  const { shared, builds, token, most, noticed } = options
  let served = 0
  let underway = 0
  let lastActive = monotonic()

  const handle = async (
    head: Head,
    payload: ArrivingPayload,
    peer: Peer,
    transport: "socket" | "http",
    { left, crowd = 0 }: { readonly left?: InvocationId | undefined; readonly crowd?: number } = {}
  ): Promise<Answer> => {
    const began = monotonic()
    const { agent, agentEvent } = head
    const cwd = placeOf(agent, head.cwd, head.environment.get)
    const { project, found } = await builds.serving(cwd, patienceOf(agentEvent))
    if (!found) throw new CallDeclined(`nothing is built for ${project}`)
    if (crowd > 0 && isWatched(found.manifest, agent, agentEvent)) throw new CallDeclined(tooMuch)
    const deadlineMs = deadlineOf(agentEvent, found.manifest)
    peer.expect(monotonic() + deadlineMs + endingMs)
    const received = await payload.received(
      Math.max(1, deadlineMs - (found.rebuilt ? 0 : monotonic() - began))
    )
    return invoke(shared, {
      agent,
      agentEvent,
      cwd,
      project,
      call: head.call,
      environment: head.environment,
      transport,
      deadlineMs,
      began: found.rebuilt ? monotonic() : began,
      found,
      received,
      isDisconnected: peer.isDisconnected,
      ...(crowd === 0 ? {} : { crowd }),
      ...(left === undefined ? {} : { left })
    })
  }

  return {
    takeLeft: async (head, payload) => {
      const known = await options.ended(head.call)
      // What a host that is gone had begun is on the log as lost; it is done again under another id.
      if (known === "ended") return
      const id = known === "unknown" && isUuid(head.call) ? (head.call as InvocationId) : undefined
      payload.end()
      const { environment, cwd } = head
      const all = () => completed(environment.all(), cwd, process.env)
      const whole = { ...head, environment: { get: environment.get, all } }
      await handle(whole, payload, { isDisconnected: () => false, expect: () => undefined }, "socket", {
        left: id
      })
    },
    serve: async (head, payload, peer, transport) => {
      if (head.token !== token) throw new CallDeclined("this is not the token of this host")
      if (head.agent === controlAgent) return options.control(head.agentEvent)
      if (underway >= maxWaiting * most) throw new CallDeclined(tooMuch)
      const crowd = underway >= most ? underway : 0
      underway++
      try {
        const answer = await handle(head, payload, peer, transport, { crowd })
        served++
        return answer
      } finally {
        underway--
        lastActive = monotonic()
        // Not on the reply's time.
        setImmediate(noticed)
      }
    },
    served: () => served,
    underway: () => underway,
    lastActive: () => lastActive
  }
}
