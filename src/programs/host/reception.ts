/** What every call passes before it is answered: who sent it, whether there is room, what its session left before it. */
import { CallDeclined } from "../../runtime/host/declined.ts"
import { makeProven, withProof } from "../../runtime/host/proof.ts"
import { controlAgent } from "../../runtime/host/requests.ts"
import type { Answer, Head } from "../../runtime/host/wireProtocol.ts"
import type { ArrivingPayload } from "../../runtime/leftCalls/arrivingPayload.ts"
import type { SessionOf } from "../../runtime/leftCalls/deferredCalls.ts"
import type { ReceivedPayload } from "../../runtime/stdin.ts"
import type { CallCounts } from "./Activity.ts"
import { type Answering, tooMuch } from "./answering.ts"
import type { Peer } from "./socketServer.ts"

export interface Reception {
  readonly serve: (
    head: Head,
    payload: ArrivingPayload,
    peer: Peer,
    transport: "socket" | "http"
  ) => Promise<Answer>
}

export interface ReceptionOptions {
  readonly answer: Answering["answer"]
  readonly calls: Pick<CallCounts, "during" | "underway">
  readonly token: string
  /** At more than so many at once no handler runs: what is no guard's is answered neutrally at once. */
  readonly most: number
  readonly control: (event: string) => Promise<Answer>
  /** Whether clients may have left calls that were not taken in yet. */
  readonly hasLeft: () => boolean
  readonly sessionOf: SessionOf
  /** Takes in what a session left earlier. */
  readonly before: (session: string) => Promise<unknown>
}

/** Even what is answered at once has to be taken in and recorded. */
const maxWaiting = 4

export const makeReception = (options: ReceptionOptions): Reception => {
  const { answer, calls, most, token } = options
  const proven = makeProven(token)

  /** No Post before its Pre: but no call is given up for those before it. */
  const takenIn = async (head: Head, received: ReceivedPayload, deadlineMs: number): Promise<void> => {
    if (!options.hasLeft()) return
    const session = options.sessionOf(head, received)
    if (session === null) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, deadlineMs / 2)
    })
    await Promise.race([options.before(session), late]).finally(() => clearTimeout(timer))
  }

  return {
    serve: async (head, payload, peer, transport) => {
      const isAsked = head.agent === controlAgent
      if (head.token !== token) {
        const nonce = isAsked ? proven(head.token, head.agentEvent) : undefined
        if (nonce === undefined) throw new CallDeclined("this is not the token of this host")
        return withProof(token, nonce, await options.control(head.agentEvent))
      }
      if (isAsked) return options.control(head.agentEvent)
      const others = calls.underway()
      if (others >= maxWaiting * most) throw new CallDeclined(tooMuch)
      return calls.during(() =>
        answer(head, payload, peer, transport, {
          crowd: others >= most ? others : 0,
          before: (received, deadlineMs) => takenIn(head, received, deadlineMs)
        })
      )
    }
  }
}
