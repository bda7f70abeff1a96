/** The life of one process that runs handlers: it serves one call or job at a time, until one leaves it unfit for the next. */
import { setup } from "xstate"
import type { HandlerProcessFact } from "../events/facts.ts"
import type { Machine } from "./step.ts"

/** What the machine asks of the driver. */
export type HandlersCommand =
  /** Nothing that comes next would find what it may rely on. */
  { readonly type: "END_PROCESS"; readonly reason: string }

const machine = setup({
  types: {} as { events: HandlerProcessFact },
  actions: {
    command: (_, _command: HandlersCommand) => {
      throw new Error("a command is interpreted by the driver, never executed by the machine")
    }
  }
}).createMachine({
  id: "handlers",
  initial: "starting",
  states: {
    starting: { on: { HANDLER_PROCESS_STARTED: "free", HANDLER_PROCESS_ENDED: "ended" } },
    free: { on: { HANDLER_PROCESS_TAKEN: "busy", HANDLER_PROCESS_ENDED: "ended" } },
    busy: {
      on: {
        HANDLER_PROCESS_FREED: "free",
        HANDLER_PROCESS_SPOILT: {
          target: "spoilt",
          actions: {
            type: "command",
            params: ({ event }) => ({ type: "END_PROCESS", reason: event.reason })
          }
        },
        HANDLER_PROCESS_ENDED: "ended"
      }
    },
    spoilt: { on: { HANDLER_PROCESS_ENDED: "ended" } },
    ended: { type: "final" }
  }
})

export const handlers: Machine<HandlerProcessFact, HandlersCommand> = { id: "handlers", definition: machine }
