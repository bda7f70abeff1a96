/** An error and what was tried against it, from when it was first seen until it is gone or nobody looks after it any more. */
import { type AnyMachineSnapshot, assign, setup } from "xstate"
import type { Machine } from "./step.ts"

/** What a tool call means for a chain. No fact of the log: it follows from the facts that are there. */
export type ChainSign =
  | { readonly type: "ERROR_OBSERVED"; readonly at: number }
  /** Something was done that may help. `failed`: it did not even do what it was to do. */
  | {
      readonly type: "FIX_ATTEMPTED"
      readonly at: number
      readonly kind: "edit" | "command"
      readonly what: string
      readonly failed: boolean
    }
  /** What had failed went well: `by` says what that was. */
  | { readonly type: "ERROR_GONE"; readonly at: number; readonly by: string }
  | { readonly type: "CHAIN_LEFT"; readonly at: number; readonly why: string }

export interface Attempt {
  readonly kind: "edit" | "command"
  /** The file, or the command line. */
  readonly what: string
  readonly at: number
  /** Null until something tells. */
  readonly helped: boolean | null
  /** What told. */
  readonly how: string | null
}

export interface ChainContext {
  readonly opened: number | undefined
  /** How often the error was seen. */
  readonly seen: number
  readonly attempts: readonly Attempt[]
  /** Attempts before those, which are not kept. */
  readonly omitted: number
  readonly resolved: { readonly at: number; readonly by: string; readonly ms: number } | undefined
  readonly abandoned: { readonly at: number; readonly why: string } | undefined
}

/** More of them tell nobody anything. */
export const maxAttempts = 30

/** What is not known yet of the attempts so far is known now. */
const judged = (attempts: readonly Attempt[], helped: boolean, how: string): readonly Attempt[] =>
  attempts.map((one) => (one.helped === null ? { ...one, helped, how } : one))

const machine = setup({
  types: {} as { context: ChainContext; events: ChainSign },
  actions: {
    see: assign(({ context, event }) => ({
      opened: context.opened ?? event.at,
      seen: context.seen + 1,
      attempts: judged(context.attempts, false, "the same error again")
    })),
    attempt: assign(({ context, event }) => {
      if (event.type !== "FIX_ATTEMPTED") return {}
      const { at, failed, kind, what } = event
      // Said again it is no other attempt, as long as nothing was known of it.
      const others = context.attempts.filter((one) => one.what !== what || one.helped !== null)
      const outcome = failed ? { helped: false, how: "it failed itself" } : { helped: null, how: null }
      const all = [...others, { kind, what, at, ...outcome }]
      return {
        attempts: all.slice(-maxAttempts),
        omitted: context.omitted + Math.max(0, all.length - maxAttempts)
      }
    }),
    resolve: assign(({ context, event }) => {
      if (event.type !== "ERROR_GONE") return {}
      const { at, by } = event
      return {
        attempts: judged(context.attempts, true, `${by} went well`),
        // Clocks are set back now and then.
        resolved: { at, by, ms: Math.max(0, at - (context.opened ?? at)) }
      }
    }),
    abandon: assign(({ event }) =>
      event.type === "CHAIN_LEFT" ? { abandoned: { at: event.at, why: event.why } } : {}
    )
  },
  guards: { isOpen: ({ context }) => context.opened !== undefined }
}).createMachine({
  id: "chain",
  initial: "open",
  context: {
    opened: undefined,
    seen: 0,
    attempts: [],
    omitted: 0,
    resolved: undefined,
    abandoned: undefined
  },
  states: {
    open: {
      on: {
        ERROR_OBSERVED: { actions: "see" },
        FIX_ATTEMPTED: { guard: "isOpen", target: "attempted", actions: "attempt" },
        ERROR_GONE: { guard: "isOpen", target: "resolved", actions: "resolve" },
        CHAIN_LEFT: { guard: "isOpen", target: "abandoned", actions: "abandon" }
      }
    },
    attempted: {
      on: {
        ERROR_OBSERVED: { actions: "see" },
        FIX_ATTEMPTED: { actions: "attempt" },
        ERROR_GONE: { target: "resolved", actions: "resolve" },
        CHAIN_LEFT: { target: "abandoned", actions: "abandon" }
      }
    },
    resolved: { type: "final" },
    abandoned: { type: "final" }
  }
})

export const chain: Machine<ChainSign, never> = { id: "chain", definition: machine }

export type ChainState = "open" | "attempted" | "resolved" | "abandoned"

/** A chain that was put away, as it stood. */
export const resumed = (state: ChainState, context: ChainContext): AnyMachineSnapshot =>
  machine.resolveState({ value: state, context }) as AnyMachineSnapshot
