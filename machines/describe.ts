/** A machine as data, read from its definition: for pictures of it, and for whoever shows where an actor stands. */
import type { AnyStateNode, AnyTransitionDefinition } from "xstate"
import type { AnyMachine } from "./machines.ts"

export interface DescribedTransition {
  /** Where it leads from. */
  readonly from: string
  /** The type of the fact. */
  readonly fact: string
  /** Where it leads; the same state where it moves nowhere. */
  readonly to: string
  /** The name of the condition, where there is one. */
  readonly guard: string | null
  /** Whether something is asked of the driver. */
  readonly asks: boolean
}

export interface DescribedMachine {
  readonly machine: string
  readonly initial: string
  readonly states: readonly { readonly name: string; readonly final: boolean }[]
  /** In the order in which they are tried. */
  readonly transitions: readonly DescribedTransition[]
}

const nameOf = (guard: unknown): string | null => {
  if (guard === undefined) return null
  if (typeof guard === "string") return guard
  return (guard as { readonly type?: string }).type ?? "condition"
}

const asks = ({ actions }: AnyTransitionDefinition): boolean =>
  actions.some((action) => (action as { readonly type?: string }).type === "command")

const from = (state: string, node: AnyStateNode): readonly DescribedTransition[] =>
  [...node.transitions.values()].flat().map((one: AnyTransitionDefinition) => ({
    from: state,
    fact: one.eventType,
    to: one.target?.[0]?.key ?? state,
    guard: nameOf(one.guard),
    asks: asks(one)
  }))

/** What holds in every state is said of each. */
export const describeMachine = ({ definition, id }: AnyMachine): DescribedMachine => {
  const nodes = Object.entries(definition.states) as readonly (readonly [string, AnyStateNode])[]
  return {
    machine: id,
    initial: String(definition.config.initial),
    states: nodes.map(([name, { type }]) => ({ name, final: type === "final" })),
    transitions: nodes.flatMap(([name, node]) => [...from(name, node), ...from(name, definition.root)])
  }
}
