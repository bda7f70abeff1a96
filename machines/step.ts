/** start · evolve · replay: the only way a machine moves, shared by driver, replay, inspector and tests. */
import { type AnyActorScope, type AnyMachineSnapshot, type AnyStateMachine, createActor } from "xstate"
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

/** What a definition needs to move, made once: XState's own `transition` makes an actor for every step, and with it a first snapshot. */
interface Stage {
  readonly scope: AnyActorScope
  readonly flat: boolean
  /** The actions of the step that is being taken. */
  executed: Asked[]
  readonly first: AnyMachineSnapshot
}

const stages = new WeakMap<AnyStateMachine, Stage>()

const stageOf = (definition: AnyStateMachine): Stage => {
  const known = stages.get(definition)
  if (known !== undefined) return known
  // Never started: it stands for the machine where a step asks whose it is.
  const self = createActor(definition)
  const nothing = (): void => undefined
  const stage: Stage = {
    flat: isFlat(definition),
    executed: [],
    first: self.getSnapshot() as AnyMachineSnapshot,
    scope: {
      self,
      system: self.system,
      id: "",
      sessionId: "",
      logger: nothing,
      defer: nothing,
      stopChild: nothing,
      emit: nothing,
      actionExecutor: (action) => void stage.executed.push(action)
    }
  }
  stages.set(definition, stage)
  return stage
}

/** The same as XState's `transition`, which a law holds it to. */
const moved = (
  definition: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  fact: { readonly type: string }
): readonly [AnyMachineSnapshot, readonly Asked[]] => {
  const stage = stageOf(definition)
  if (stage.flat) return flatStep(definition, snapshot, fact)
  stage.executed = []
  const next = definition.transition(snapshot, fact, stage.scope) as AnyMachineSnapshot
  return [next, stage.executed]
}

/** Before its first fact a machine asks for nothing. */
export const start = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>
): Step<C> => ({ snapshot: stageOf(machine.definition).first, command: undefined, refused: false })

export const evolve = <F extends { readonly type: string }, C extends { readonly type: string }>(
  machine: Machine<F, C>,
  snapshot: AnyMachineSnapshot,
  fact: F
): Step<C> => {
  const [next, actions] = moved(machine.definition, snapshot, fact)
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
