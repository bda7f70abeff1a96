/** Walks a machine with a finite alphabet of facts until no new state turns up: what it really does, edge by edge. */
import type { AnyMachineSnapshot } from "xstate"
import { evolve, type Machine, start, stateOf } from "../../machines/step.ts"

type Typed = { readonly type: string }

export interface Edge {
  readonly from: string
  readonly fact: string
  readonly to: string
  readonly command: string
}

export interface Explored<F extends Typed> {
  /** In the order of the states and of the alphabet. */
  readonly edges: readonly Edge[]
  readonly states: readonly string[]
  readonly snapshots: readonly AnyMachineSnapshot[]
  readonly refusals: readonly { readonly snapshot: AnyMachineSnapshot; readonly fact: F }[]
}

const bound = 20_000

/** `key` names what of a snapshot decides its future. */
export const explore = <F extends Typed, C extends Typed>(
  machine: Machine<F, C>,
  alphabet: readonly F[],
  key: (snapshot: AnyMachineSnapshot) => string
): Explored<F> => {
  const edges = new Map<string, Edge>()
  const refusals: { snapshot: AnyMachineSnapshot; fact: F }[] = []
  const first = start(machine).snapshot
  const seen = new Map([[key(first), first]])
  const queue = [first]
  for (let snapshot = queue.shift(); snapshot !== undefined; snapshot = queue.shift()) {
    if (seen.size > bound)
      throw new Error(`machine ${machine.id} has more than ${bound} states under this key`)
    for (const fact of alphabet) {
      const step = evolve(machine, snapshot, fact)
      if (step.refused) {
        refusals.push({ snapshot, fact })
        continue
      }
      const [from, to] = [stateOf(snapshot), stateOf(step.snapshot)]
      const edge = { from, fact: fact.type, to, command: step.command?.type ?? "" }
      edges.set(Object.values(edge).join(" "), edge)
      if (seen.has(key(step.snapshot))) continue
      seen.set(key(step.snapshot), step.snapshot)
      queue.push(step.snapshot)
    }
  }
  const snapshots = [...seen.values()]
  const states = Object.keys(machine.definition.states)
  const types = alphabet.map(({ type }) => type)
  const rank = ({ from, fact, to }: Edge): number =>
    (states.indexOf(from) * types.length + types.indexOf(fact)) * states.length + states.indexOf(to)
  const sorted = [...edges.values()].sort((a, b) => rank(a) - rank(b))
  return { edges: sorted, states: [...new Set(snapshots.map(stateOf))], snapshots, refusals }
}

/** One line per edge: `handling --HANDLER_FAILED--> emitting: DELIVER`. */
export const listed = (edges: readonly Edge[]): readonly string[] =>
  edges.map(
    ({ from, fact, to, command }) => `${from} --${fact}--> ${to}${command === "" ? "" : `: ${command}`}`
  )

/** The edges that the definition names, whether or not anything ever takes them: `from fact to`. */
export const declared = (machine: Machine<never, never> | Machine<Typed, Typed>): readonly string[] => {
  const found = new Set<string>()
  const { states } = machine.definition
  for (const [name, node] of Object.entries(states)) {
    for (const [fact, transitions] of node.transitions) {
      for (const { target } of transitions) found.add(`${name} ${fact} ${target?.[0]?.key ?? name}`)
    }
  }
  return [...found]
}
