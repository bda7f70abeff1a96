/** The one loop: a fact is recorded, the machine turns it into at most one command, its outcome is the next fact. */
import * as Micro from "effect/Micro"
import type { AnyMachineSnapshot } from "xstate"
import { evolve, isFinal, type Machine, type Step, start } from "../../machines/step.ts"

export interface Driver<F extends { readonly type: string }, C extends { readonly type: string }> {
  /** Append first, act second: what was not recorded did not happen. */
  readonly record: (fact: F) => Micro.Micro<void>
  /** Performs a command. Its outcome is one fact or several, of which at most one moves the machine to a next command. */
  readonly interpret: (command: C) => Micro.Micro<readonly F[]>
  /** After each step, with where the machine stands now. */
  readonly followed?: (fact: F, snapshot: AnyMachineSnapshot, step: Step<C>) => void
  /** A fact that the machine's state did not take: recorded all the same, and never silent. */
  readonly refused?: (fact: F, snapshot: AnyMachineSnapshot) => void
}

/** Runs a machine from its first fact until it is final or asks for nothing more. */
export const drive = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>,
  driver: Driver<F, C>,
  first: F
): Micro.Micro<AnyMachineSnapshot> =>
  Micro.gen(function* () {
    let { snapshot } = start(machine)
    let facts: readonly F[] = [first]
    while (facts.length > 0) {
      let command: C | undefined
      for (const fact of facts) {
        yield* driver.record(fact)
        const step = evolve(machine, snapshot, fact)
        snapshot = step.snapshot
        driver.followed?.(fact, snapshot, step)
        if (step.refused) driver.refused?.(fact, snapshot)
        if (step.command && command) {
          throw new Error(`machine ${machine.id} was asked for two commands at once by the facts of one`)
        }
        command = step.command ?? command
      }
      if (command === undefined || isFinal(snapshot)) return snapshot
      facts = yield* driver.interpret(command)
    }
    return snapshot
  })
