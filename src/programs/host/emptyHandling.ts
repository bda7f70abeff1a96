/** Handling where no hook wants the event: its plan is empty, and nothing runs. */
import * as Micro from "effect/Micro"
import { diagnostic, type Intent } from "../../../events/intents.ts"
import type { Adapter, Decoded } from "../../agents/Adapter.ts"
import { directoryProblem, warningsOn } from "../../runtime/directory.ts"
import type { Handling } from "../../runtime/handling.ts"
import { unknownEvent } from "../../runtime/notices.ts"
import type { Plan } from "../../runtime/registry.ts"

const nobody: Plan = { handlers: [], left: [] }

export const emptyHandling = (
  adapter: Adapter,
  agentEvent: string,
  taken: (decoded: Decoded) => void,
  said: readonly Intent[]
): Handling => {
  let decoded: Decoded | undefined
  return {
    take: (payload) => {
      decoded = payload.decoded
      taken(decoded)
    },
    interpret: () =>
      Micro.sync(() => {
        const nowhere = decoded ? warningsOn(directoryProblem(decoded)) : []
        const notices = [
          ...said,
          ...nowhere.map((remark) => diagnostic("warn", remark)),
          ...unknownEvent(adapter, agentEvent, decoded, nobody)
        ]
        return [{ type: "HANDLERS_PLANNED", ...nobody, ...(notices.length > 0 ? { notices } : {}) }]
      }),
    drainNoise: () => []
  }
}
