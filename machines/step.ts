/** start · evolve · replay: the only way a machine moves, shared by driver, replay, inspector and tests. */
import { type AnyMachineSnapshot, type AnyStateMachine, initialTransition, transition } from "xstate"

/** A machine with the facts it takes and the commands it asks for. The phantom types tie the two to its step. */
export interface Machine<F extends { readonly type: string }, C extends { readonly type: string }> {
  readonly id: string
  readonly definition: AnyStateMachine
  readonly _facts?: F
  readonly _commands?: C
}

export interface Step<C> {
  readonly snapshot: AnyMachineSnapshot
  /** At most one: what the driver is asked to do about the fact. */
  readonly command: C | undefined
  /** The state did not take the fact: nothing moved, and whoever looks is told. */
  readonly refused: boolean
}

/** Where a machine stands, by name. */
export const stateOf = (snapshot: AnyMachineSnapshot): string => String(snapshot.value)

export const isFinal = (snapshot: AnyMachineSnapshot): boolean => snapshot.status === "done"

const commandOf = <C>(
  machine: string,
  actions: readonly { readonly type: string; readonly params?: unknown }[]
): C | undefined => {
  const commands = actions.filter((action) => action.type === "command")
  if (commands.length > 1) throw new Error(`machine ${machine} asked for ${commands.length} commands at once`)
  return commands[0]?.params as C | undefined
}

export const start = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>
): Step<C> => {
  const [snapshot, actions] = initialTransition(machine.definition)
  return { snapshot, command: commandOf(machine.id, actions), refused: false }
}

export const evolve = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>,
  snapshot: AnyMachineSnapshot,
  fact: F
): Step<C> => {
  // XState drops what a state does not accept; a dropped fact must be seen.
  if (!snapshot.can(fact)) return { snapshot, command: undefined, refused: true }
  const [next, actions] = transition(machine.definition, snapshot, fact)
  return { snapshot: next as AnyMachineSnapshot, command: commandOf(machine.id, actions), refused: false }
}

export const replay = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>,
  facts: Iterable<F>
): AnyMachineSnapshot => {
  let { snapshot } = start(machine)
  for (const fact of facts) ({ snapshot } = evolve(machine, snapshot, fact))
  return snapshot
}

/** One fact with the state before and after it. */
export interface Frame<F, C> {
  readonly fact: F
  readonly before: string
  readonly after: string
  readonly command: C | undefined
  readonly refused: boolean
}

export const frames = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>,
  facts: Iterable<F>
): readonly Frame<F, C>[] => {
  let { snapshot } = start(machine)
  const seen: Frame<F, C>[] = []
  for (const fact of facts) {
    const step = evolve(machine, snapshot, fact)
    seen.push({
      fact,
      before: stateOf(snapshot),
      after: stateOf(step.snapshot),
      command: step.command,
      refused: step.refused
    })
    snapshot = step.snapshot
  }
  return seen
}
