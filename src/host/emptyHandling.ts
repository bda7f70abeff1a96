/** Handling where no hook wants the event: its plan is empty, and nothing runs. */
import * as Micro from "effect/Micro"
import type { Intent } from "../../events/intents.ts"
import type { Handling } from "../engine/handling.ts"

export const emptyHandling = (notices: readonly Intent[]): Handling => ({
  take: () => undefined,
  interpret: () =>
    Micro.succeed([
      { type: "HANDLERS_PLANNED", handlers: [], left: [], ...(notices.length > 0 ? { notices } : {}) }
    ]),
  heard: () => []
})
