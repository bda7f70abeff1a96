/** Says a machine's rule in a sentence: `given(invocation, …facts).when(fact).gives("emitting", command)`. */
import { expect } from "vitest"
import { evolve, type Machine, replay, stateOf } from "../../machines/step.ts"

type Typed = { readonly type: string }

/** A machine that has taken these facts, none of which it may refuse. */
export const given = <F extends Typed, C extends Typed>(machine: Machine<F, C>, ...before: readonly F[]) => ({
  when: (fact: F) => {
    let snapshot = replay(machine, [])
    for (const earlier of before) {
      const step = evolve(machine, snapshot, earlier)
      expect(step.refused, `${earlier.type} is refused while setting the scene`).toBe(false)
      snapshot = step.snapshot
    }
    const step = evolve(machine, snapshot, fact)
    return {
      /** The state it ends in and the command it asks for, which is none when none is named. */
      gives: (state: string, command?: C) => {
        expect({
          refused: step.refused,
          state: stateOf(step.snapshot),
          command: step.command
        }).toEqual({ refused: false, state, command })
      },
      /** Nothing moves, and it shows. */
      isRefused: () => {
        expect({ refused: step.refused, command: step.command }).toEqual({
          refused: true,
          command: undefined
        })
        expect(step.snapshot).toBe(snapshot)
      },
      context: step.snapshot.context
    }
  }
})
