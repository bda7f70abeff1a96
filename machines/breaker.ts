/** Counts invocations that could be handled nowhere, across processes, and decides when to be loud about it. */
import { assign, setup } from "xstate"
import type { BreakerFact } from "../events/facts.ts"
import type { Machine } from "./step.ts"

export type BreakerCommand =
  | { readonly type: "SPEAK_UP"; readonly consecutive: number }
  | { readonly type: "STAY_SILENT" }

interface BreakerContext {
  readonly consecutive: number
}

const breakerSetup = setup({
  types: {} as { context: BreakerContext; events: BreakerFact },
  actions: {
    command: (_, _command: BreakerCommand) => {
      throw new Error("a command is interpreted by the driver, never executed by the machine")
    },
    count: assign(({ context }) => ({ consecutive: context.consecutive + 1 })),
    forget: assign({ consecutive: 0 })
  },
  guards: {
    reachesThreshold: ({ context, event }) =>
      event.type === "HOST_UNREACHABLE" && context.consecutive + 1 >= event.threshold
  }
})

const loud = {
  guard: "reachesThreshold",
  target: "loud",
  actions: [
    "count",
    {
      type: "command",
      params: ({ context }: { readonly context: BreakerContext }) =>
        ({ type: "SPEAK_UP", consecutive: context.consecutive }) as const
    }
  ]
} as const

const silent = {
  target: "closed",
  actions: ["count", { type: "command", params: { type: "STAY_SILENT" } }]
} as const

const machine = breakerSetup.createMachine({
  id: "breaker",
  initial: "closed",
  context: { consecutive: 0 },
  on: { HOST_REACHED: { target: ".closed", actions: "forget" } },
  states: {
    closed: { on: { HOST_UNREACHABLE: [loud, silent] } },
    // The threshold is the caller's: what was loud to one may be too early for the next.
    loud: { on: { HOST_UNREACHABLE: [loud, silent] } }
  }
})

export const breaker: Machine<BreakerFact, BreakerCommand> = { id: "breaker", definition: machine }
