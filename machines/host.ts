/** The life of one host process: it starts, serves, lets go of its socket, and ends when the last answer has left. */
import { setup } from "xstate"
import type { HostFact } from "../events/facts.ts"
import type { Machine } from "./step.ts"

/** What the machine asks of the driver. */
export type HostCommand =
  | { readonly type: "LISTEN" }
  /** Until there is a reason to stop. */
  | { readonly type: "SERVE" }
  /** Takes no more calls, and waits for those it has. */
  | { readonly type: "DRAIN"; readonly reason: string }

const machine = setup({
  types: {} as { events: HostFact },
  actions: {
    command: (_, _command: HostCommand) => {
      throw new Error("a command is interpreted by the driver, never executed by the machine")
    }
  }
}).createMachine({
  id: "host",
  initial: "starting",
  states: {
    starting: {
      on: {
        HOST_STARTED: { actions: { type: "command", params: { type: "LISTEN" } } },
        HOST_READY: { target: "ready", actions: { type: "command", params: { type: "SERVE" } } },
        // It could not listen.
        HOST_STOPPED: "stopped"
      }
    },
    ready: {
      on: {
        HOST_DRAINING: {
          target: "draining",
          actions: {
            type: "command",
            params: ({ event }) => ({ type: "DRAIN", reason: event.reason })
          }
        }
      }
    },
    draining: { on: { HOST_STOPPED: "stopped" } },
    stopped: { type: "final" }
  }
})

export const host: Machine<HostFact, HostCommand> = { id: "host", definition: machine }
