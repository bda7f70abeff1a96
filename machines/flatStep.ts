/**
 * A step of a machine whose states hold no states and do nothing of themselves, as all of ours are: the transition that XState
 * selects, without what it does for machines of other kinds. On every hook's time, several times; laws hold it to XState's own.
 */
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate"

type Fact = { readonly type: string }

/** An action that is asked for; whoever takes the step sees to it. */
export interface Asked {
  readonly type: string
  readonly params?: unknown
}

interface Assign {
  readonly type: "xstate.assign"
  readonly assignment: object | ((args: object) => object)
}

/** As a definition holds it: by its name, or with what it is to be given. */
type Action = string | { readonly type: string; readonly params?: unknown }

const implemented = (machine: AnyStateMachine, action: Action): unknown =>
  (machine.implementations.actions as Record<string, unknown>)[
    typeof action === "string" ? action : action.type
  ]

const isAssign = (action: unknown): action is Assign =>
  typeof action === "function" && (action as unknown as { readonly type?: unknown }).type === "xstate.assign"

const isPlainAction = (machine: AnyStateMachine, action: unknown): boolean => {
  if (typeof action === "function") return false
  const own = implemented(machine, action as Action)
  return isAssign(own) || (typeof own === "function" && !("resolve" in own))
}

const isPlainNode = (machine: AnyStateMachine, node: AnyStateNode): boolean =>
  [node.entry, node.exit, node.invoke, node.tags, node.always ?? []].every(({ length }) => length === 0) &&
  node.output === undefined &&
  [...node.transitions.values()]
    .flat()
    .every(
      ({ actions, reenter, target }: AnyTransitionDefinition) =>
        reenter !== true &&
        (target?.length ?? 0) <= 1 &&
        actions.every((action) => isPlainAction(machine, action))
    )

/** Whether `flatStep` takes it. */
export const isFlat = (machine: AnyStateMachine): boolean => {
  const nodes = Object.values(machine.states) as readonly AnyStateNode[]
  return (
    machine.root.type === "compound" &&
    isPlainNode(machine, machine.root) &&
    nodes.every((node) => (node.type === "atomic" || node.type === "final") && isPlainNode(machine, node))
  )
}

const assigned = ({ assignment }: Assign, context: object, event: Fact): object => {
  const args = { context, event }
  if (typeof assignment === "function") return { ...context, ...assignment(args) }
  const members = Object.entries(assignment).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "function" ? (value as (args: object) => unknown)(args) : value
  ])
  return { ...context, ...Object.fromEntries(members) }
}

const paramsOf = (action: Action, context: object, event: Fact): unknown => {
  if (typeof action === "string") return undefined
  const { params } = action
  return typeof params === "function" ? (params as (args: object) => unknown)({ context, event }) : params
}

/** The same snapshot, and nothing asked for, where the state does not take the fact. */
export const flatStep = (
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  fact: Fact
): readonly [AnyMachineSnapshot, readonly Asked[]] => {
  const [transition] = machine.getTransitionData(snapshot, fact)
  if (transition === undefined) return [snapshot, []]
  const asked: Asked[] = []
  let context = snapshot.context as object
  for (const action of transition.actions as readonly Action[]) {
    const doing = implemented(machine, action)
    if (isAssign(doing)) context = assigned(doing, context, fact)
    else
      asked.push({
        type: typeof action === "string" ? action : action.type,
        params: paramsOf(action, context, fact)
      })
  }
  const target = transition.target?.[0]
  if (target === undefined && context === snapshot.context) return [snapshot, asked]
  const moved = target && {
    value: target.key,
    _nodes: [machine.root, target],
    status: target.type === "final" ? "done" : snapshot.status
  }
  return [{ ...snapshot, context, ...moved } as AnyMachineSnapshot, asked]
}
