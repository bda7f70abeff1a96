/** What metrics keep of sessions, as a fold over what is shipped: a piece of a session is the state, and figures are worked out of all of them. */
import type { KeyedFold } from "../../log/KeyedFold.ts"
import { findingsOf, mayTell } from "../findings/findingsOf.ts"
import { momentFound } from "./foundMoments.ts"
import type { Placed, SessionMoments } from "./Moment.ts"

/** Positions of a log in one piece: a session may go on for days, and a state is written as a whole. */
const perPiece = 2000

export const momentStates: KeyedFold<SessionMoments> = {
  name: "moment_states",
  version: 1,
  types: ["PAYLOAD_BUFFERED"],
  keysOf: (fact) => {
    const { agent, position, session } = fact.place
    return session === null || !mayTell(fact, "moments") || findingsOf(fact)?.moments === undefined
      ? []
      : [JSON.stringify([agent, session, Math.floor(position / perPiece)])]
  },
  step: (before, fact) => {
    const { agent, at, project, session } = fact.place
    const { moments = [], subagent = null } = findingsOf(fact) ?? {}
    const told = moments.map(
      (found): Placed => ({ moment: momentFound(found), at, source: "hooks", subagent })
    )
    return {
      agent,
      session: session ?? "",
      project: before?.project ?? project,
      moments: [...(before?.moments ?? []), ...told]
    }
  }
}
