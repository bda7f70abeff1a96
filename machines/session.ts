/** One run of an agent: it works, waits for its user, and ends; some are taken up again. */
import { setup } from "xstate"
import type { SessionFact } from "../events/facts.ts"
import type { Machine } from "./step.ts"

/** What the machine asks of the driver. */
export type SessionCommand =
  /** Nobody may hear of it for hours: the log has all that is known of it. */
  { readonly type: "LET_GO" }

const letGo = { type: "command", params: { type: "LET_GO" } } as const
const idle = { target: "idle", actions: letGo } as const
const ended = { target: "ended", actions: letGo } as const

const machine = setup({
  types: {} as { events: SessionFact },
  actions: {
    command: (_, _command: SessionCommand) => {
      throw new Error("a command is interpreted by the driver, never executed by the machine")
    }
  }
}).createMachine({
  id: "session",
  initial: "unseen",
  states: {
    unseen: { on: { SESSION_OPENED: "open" } },
    open: { on: { SESSION_IDLED: idle, SESSION_ENDED: ended } },
    idle: { on: { SESSION_RESUMED: "open", SESSION_ENDED: ended } },
    // Agents take up a session that was over, under the same name.
    ended: { on: { SESSION_RESUMED: "open" } }
  }
})

export const session: Machine<SessionFact, SessionCommand> = { id: "session", definition: machine }
