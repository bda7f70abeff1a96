/** start · evolve · replay: the only way a machine moves, shared by driver, replay, inspector and tests. */
import { type AnyMachineSnapshot, type AnyStateMachine, createActor } from "xstate"
import { type Asked, flatStep, isFlat } from "./flatStep.ts"

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

const commandOf = <C>(machine: string, actions: readonly Asked[]): C | undefined => {
  const commands = actions.filter((action) => action.type === "command")
  if (commands.length > 1) throw new Error(`machine ${machine} asked for ${commands.length} commands at once`)
  return commands[0]?.params as C | undefined
}

/** Where machines stand before their first fact, made once for each. */
const firsts = new WeakMap<AnyStateMachine, AnyMachineSnapshot>()

const firstOf = (definition: AnyStateMachine): AnyMachineSnapshot => {
  const known = firsts.get(definition)
  if (known !== undefined) return known
  if (!isFlat(definition))
    throw new Error(
      `machine ${definition.id} has more than flat states and plain actions, which no step here takes`
    )
  // Never started: it is only asked where it would begin.
  const first = createActor(definition).getSnapshot() as AnyMachineSnapshot
  firsts.set(definition, first)
  return first
}

/** Before its first fact a machine asks for nothing. */
export const start = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>
): Step<C> => ({ snapshot: firstOf(machine.definition), command: undefined, refused: false })

export const evolve = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>,
  snapshot: AnyMachineSnapshot,
  fact: F
): Step<C> => {
  const [next, actions] = flatStep(machine.definition, snapshot, fact)
  // XState drops what a state does not accept, and gives the same snapshot back; a dropped fact must be seen.
  const refused = next === snapshot && actions.length === 0
  return { snapshot: next, command: commandOf(machine.id, actions), refused }
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
