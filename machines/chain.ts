/** A problem and what was done about it, from when it was first seen until it is shown to be gone or nobody looks after it any more. */
import { type AnyMachineSnapshot, assign, setup } from "xstate"
import type { Machine } from "./step.ts"

/** Something that was done between two runs and may have changed something. */
export interface Effect {
  /** The agent's id of the call, else that of its invocation. */
  readonly toolUseId: string
  readonly kind: "edit" | "command"
  /** The file, or the command line. */
  readonly what: string
  readonly at: number
}

/** A call that showed the problem. */
export interface Sighting {
  readonly toolUseId: string
  readonly at: number
}

/** All that was done between two sightings, or between the last of them and the end. */
export interface Attempt {
  readonly effects: readonly Effect[]
  readonly helped: boolean
  /** What told. */
  readonly how: string
  readonly at: number
}

/** `proved`: a run that covers the problem succeeded. `cleared`: such a run got as far and does not show it any more, though something else failed. */
export type Shown = "proved" | "cleared"

export type Grade = "A" | "B" | "C"

export interface Ending {
  readonly at: number
  /** What was run, and the call. */
  readonly by: string
  readonly toolUseId: string
  readonly shown: Shown
  /** How far the fix may be believed: A is shown by evidence, B is likely, C is only what was done before the problem was gone. */
  readonly grade: Grade
  /** From all that was done, what the evidence points to. */
  readonly fix: readonly Effect[]
  /** It went away without anything having been done. */
  readonly flaky: boolean
  readonly ms: number
}

/** What a tool call means for a chain. No fact of the log: it follows from the facts that are there. */
export type ChainSign =
  /** `effects`: what was done since it was last seen. */
  | { readonly type: "PROBLEM_OBSERVED"; readonly sighting: Sighting; readonly effects: readonly Effect[] }
  /** The first thing that was done since it was last seen. */
  | { readonly type: "EFFECT_OBSERVED"; readonly at: number }
  | {
      readonly type: "PROBLEM_GONE"
      readonly ending: Omit<Ending, "ms">
      readonly effects: readonly Effect[]
    }
  /** It is not shown any more because nobody looks: the test is skipped, the rule switched off. */
  | {
      readonly type: "PROBLEM_SUPPRESSED"
      readonly ending: Omit<Ending, "ms">
      readonly effects: readonly Effect[]
    }
  | { readonly type: "CHAIN_LEFT"; readonly at: number; readonly why: string }

export interface ChainContext {
  /** The first is the one that opened it. */
  readonly sightings: readonly Sighting[]
  /** Sightings after the first that are not kept. */
  readonly omitted: number
  readonly attempts: readonly Attempt[]
  readonly ending: Ending | undefined
  readonly abandoned: { readonly at: number; readonly why: string } | undefined
}

/** More of them tell nobody anything. */
const maxSightings = 30
const maxAttempts = 12
export const maxEffects = 30

const emptyContext: ChainContext = {
  sightings: [],
  omitted: 0,
  attempts: [],
  ending: undefined,
  abandoned: undefined
}

const tried = (context: ChainContext, attempt: Attempt): readonly Attempt[] =>
  attempt.effects.length === 0
    ? context.attempts
    : [...context.attempts, { ...attempt, effects: attempt.effects.slice(-maxEffects) }].slice(-maxAttempts)

const observed = (context: ChainContext, sighting: Sighting, effects: readonly Effect[]) => {
  const [first, ...later] = [...context.sightings, sighting]
  const kept = later.slice(-(maxSightings - 1))
  // What seemed to have cleared it did not.
  const back = context.attempts.map((one) =>
    one.helped ? { ...one, helped: false, how: "it came back" } : one
  )
  return {
    sightings: first === undefined ? [] : [first, ...kept],
    omitted: context.omitted + later.length - kept.length,
    attempts: tried(
      { ...context, attempts: back },
      { effects, helped: false, how: "the same problem again", at: sighting.at }
    ),
    ending: undefined
  }
}

const ended = (context: ChainContext, ending: Omit<Ending, "ms">, effects: readonly Effect[]) => {
  const { at, by } = ending
  const opened = context.sightings[0]?.at ?? at
  const known = context.ending
  return {
    attempts: tried(context, { effects, helped: true, how: `${by} went well`, at }),
    // Clocks are set back now and then. What cleared it stays the fix; what proves it comes later.
    ending: {
      ...ending,
      ...(known === undefined ? {} : { fix: known.fix, flaky: known.flaky }),
      ms: Math.max(0, at - opened)
    }
  }
}

const machine = setup({
  types: {} as { context: ChainContext; events: ChainSign },
  actions: {
    observe: assign(({ context, event }) =>
      event.type === "PROBLEM_OBSERVED" ? observed(context, event.sighting, event.effects) : {}
    ),
    end: assign(({ context, event }) =>
      event.type === "PROBLEM_GONE" || event.type === "PROBLEM_SUPPRESSED"
        ? ended(context, event.ending, event.effects)
        : {}
    ),
    abandon: assign(({ event }) =>
      event.type === "CHAIN_LEFT" ? { abandoned: { at: event.at, why: event.why } } : {}
    )
  },
  guards: {
    isSeen: ({ context }) => context.sightings.length > 0,
    isCleared: ({ context, event }) =>
      context.sightings.length > 0 && event.type === "PROBLEM_GONE" && event.ending.shown === "cleared"
  }
}).createMachine({
  id: "chain",
  initial: "open",
  context: emptyContext,
  states: {
    open: {
      on: {
        PROBLEM_OBSERVED: { actions: "observe" },
        EFFECT_OBSERVED: { guard: "isSeen", target: "attempted" },
        PROBLEM_GONE: [
          { guard: "isCleared", target: "cleared", actions: "end" },
          { guard: "isSeen", target: "resolved", actions: "end" }
        ],
        PROBLEM_SUPPRESSED: { guard: "isSeen", target: "suppressed", actions: "end" },
        CHAIN_LEFT: { guard: "isSeen", target: "abandoned", actions: "abandon" }
      }
    },
    attempted: {
      on: {
        PROBLEM_OBSERVED: { target: "open", actions: "observe" },
        PROBLEM_GONE: [
          { guard: "isCleared", target: "cleared", actions: "end" },
          { target: "resolved", actions: "end" }
        ],
        PROBLEM_SUPPRESSED: { target: "suppressed", actions: "end" },
        CHAIN_LEFT: { target: "abandoned", actions: "abandon" }
      }
    },
    cleared: {
      on: {
        PROBLEM_OBSERVED: { target: "open", actions: "observe" },
        PROBLEM_GONE: { target: "resolved", actions: "end" }
      }
    },
    resolved: { type: "final" },
    suppressed: { type: "final" },
    abandoned: { type: "final" }
  }
})

export const chain: Machine<ChainSign, never> = { id: "chain", definition: machine }

export type ChainState = "open" | "attempted" | "cleared" | "resolved" | "suppressed" | "abandoned"

/** A chain that was put away, as it stood. */
export const resumed = (state: ChainState, context: ChainContext): AnyMachineSnapshot =>
  machine.resolveState({ value: state, context }) as AnyMachineSnapshot
