/** What every call passes before it is handled: who sent it, whether there is room, which build serves it. */
import type { Client } from "../../../events/facts.ts"
import { type InvocationId, isUuid, timeOf } from "../../../events/ids.ts"
import { deadlineOf, patienceOf } from "../../agents/deadline.ts"
import { placeOf } from "../../agents/place.ts"
import { isWatched } from "../../runtime/builds/reach.ts"
import type { Refreshed } from "../../runtime/builds/refresh.ts"
import { clientOf } from "../../runtime/clientTime.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { CallDeclined } from "../../runtime/host/declined.ts"
import { controlAgent } from "../../runtime/host/requests.ts"
import type { Answer, Head } from "../../runtime/host/wireProtocol.ts"
import type { ArrivingPayload } from "../../runtime/leftCalls/arrivingPayload.ts"
import type { ReceivedPayload } from "../../runtime/stdin.ts"
import type { Builds } from "./builds.ts"
import { invoke, type Shared } from "./invoke.ts"
import { completed } from "./leftEnvironment.ts"
import type { Routes } from "./routes.ts"
import { sessionOf } from "./sessionOf.ts"
import type { Peer } from "./socketServer.ts"

export interface Reception {
  /** A call that its client left behind. `isNew`: nobody can have begun it. */
  readonly takeLeft: (head: Head, payload: ArrivingPayload, isNew: boolean) => Promise<void>
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
  readonly control: (event: string) => Promise<Answer>
  /** Told of a call that was answered here: calls like it may not have to come. */
  readonly routes: Routes
  /** Whether clients may have left calls that were not taken in yet. */
  readonly hasLeft: () => boolean
  /** Takes in what a session left earlier. */
  readonly before: (session: string) => Promise<unknown>
  /** How far an invocation has come that may be on the log. */
  readonly ended: (invocation: string) => Promise<"unknown" | "begun" | "ended">
}

const tooMuch = "the host has more to do than it can"
/** Even what is answered at once has to be taken in and recorded. */
const maxWaiting = 4

/** A process that overran its deadline is ended, another one started, the facts committed: what may come after a deadline. */
const endingMs = 4000

/** What is particular about the way a call came. */
interface Arrival {
  /** How many calls were there before it, where that were too many. */
  readonly crowd?: number
  /** Its client answered it and left it. */
  readonly isLeft?: boolean
  readonly left?: InvocationId | undefined
}

export const makeReception = (options: ReceptionOptions): Reception => {
  const { shared, builds, token, most, noticed } = options
  let served = 0
  let underway = 0
  let lastActive = monotonic()

  /** No Post before its Pre: but no call is given up for those before it. */
  const takenIn = async (head: Head, received: ReceivedPayload, deadlineMs: number): Promise<void> => {
    if (!options.hasLeft()) return
    const session = sessionOf(shared.adapters, head, received)
    if (session === null) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, deadlineMs / 2)
    })
    await Promise.race([options.before(session), late]).finally(() => clearTimeout(timer))
  }

  /** What nobody has to be asked for next time. With something to say of its build every call is asked. */
  const told = ({ agent, agentEvent, cwd }: Head, project: string, found: Refreshed): void => {
    if (found.rebuilt || found.warnings.length + found.hints.length + (found.lost ?? []).length > 0) return
    options.routes.asked({ agent, agentEvent, directory: cwd, project, manifest: found.manifest })
  }

  const handle = async (
    head: Head,
    payload: ArrivingPayload,
    peer: Peer,
    transport: "socket" | "http",
    { crowd = 0, isLeft = false, left }: Arrival = {}
  ): Promise<Answer> => {
    const began = monotonic()
    const { agent, agentEvent } = head
    const cwd = placeOf(agent, head.cwd, head.environment.get)
    const { project, found } = await builds.serving(
      cwd,
      patienceOf({ agent, agentEvent }),
      timeOf(head.call) || undefined
    )
    if (!found) throw new CallDeclined(`nothing is built for ${project}`)
    if (crowd > 0 && isWatched(found.manifest, agent, agentEvent)) throw new CallDeclined(tooMuch)
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
    if (!isLeft) await takenIn(head, received, deadlineMs)
    const answer = await invoke(shared, {
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
    return answer
  }

  return {
    takeLeft: async (head, payload, isNew) => {
      const known = isNew ? "unknown" : await options.ended(head.call)
      // What a host that is gone had begun is on the log as lost; it is done again under another id.
      if (known === "ended") return
      const id = known === "unknown" && isUuid(head.call) ? (head.call as InvocationId) : undefined
      payload.end()
      const { environment, cwd } = head
      const all = completed(environment.all(), cwd, process.env)
      const whole = { ...head, environment: { get: (name: string) => all[name], all: () => all } }
      await handle(whole, payload, { isDisconnected: () => false, expect: () => undefined }, "socket", {
        isLeft: true,
        left: id
      })
      lastActive = monotonic()
      setImmediate(noticed)
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
