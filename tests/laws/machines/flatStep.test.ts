/** A step is XState's own: in every state that a machine of ours can be in, with every fact. */
import { describe, expect, it } from "vitest"
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  assign,
  createMachine,
  setup,
  transition
} from "xstate"
import { flatStep, isFlat } from "../../../machines/flatStep.ts"
import { evolve, start } from "../../../machines/step.ts"
import { everywhere } from "../../support/machines.ts"

const shown = (snapshot: AnyMachineSnapshot) => ({
  ...JSON.parse(JSON.stringify(snapshot)),
  context: snapshot.context,
  nodes: snapshot._nodes.map(({ id }) => id).sort(),
  tags: [...snapshot.tags]
})

const same = (definition: AnyStateMachine, snapshot: AnyMachineSnapshot, fact: { readonly type: string }) => {
  const [theirs, actions] = transition(definition, snapshot, fact)
  const [own, asked] = flatStep(definition, snapshot, fact)
  expect(shown(own)).toEqual(shown(theirs as AnyMachineSnapshot))
  expect(own === snapshot).toBe(theirs === snapshot)
  expect(asked).toEqual(actions.map(({ type, params }) => ({ type, params })))
}

describe("a step of a flat machine", () => {
  it.each(everywhere)("is what XState makes of it: $machine.id", ({ machine, explored, facts }) => {
    const { definition } = machine
    expect(isFlat(definition)).toBe(true)
    const { snapshots } = explored()
    expect(snapshots.length).toBeGreaterThan(1)
    for (const snapshot of snapshots)
      for (const fact of [...facts, { type: "SOMETHING_ELSE" }]) same(definition, snapshot, fact)
  })

  it("is XState's with what ours do not use: targets that are the state itself, members assigned one by one, params that are plain", () => {
    const definition = setup({
      types: {} as {
        context: { a: number; b: string }
        events: { type: "GO" } | { type: "STAY" } | { type: "END" }
      },
      actions: { count: assign({ a: ({ context }) => context.a + 1, b: "counted" }), tell: () => undefined },
      guards: { low: ({ context }, most: number) => context.a < most }
    }).createMachine({
      initial: "one",
      context: { a: 0, b: "" },
      on: { END: ".end" },
      states: {
        one: {
          on: {
            GO: [
              {
                guard: { type: "low", params: 4 },
                target: "one",
                actions: ["count", "count", { type: "tell" }]
              },
              { target: "two", actions: { type: "tell" } }
            ],
            STAY: { actions: "tell" }
          }
        },
        two: { on: { STAY: undefined } },
        end: { type: "final" }
      }
    }) as unknown as AnyStateMachine
    expect(isFlat(definition)).toBe(true)
    let { snapshot } = start({ id: "", definition })
    for (const type of ["STAY", "GO", "GO", "STAY", "GO", "STAY", "END", "GO"]) {
      same(definition, snapshot, { type })
      ;({ snapshot } = evolve({ id: "", definition }, snapshot, { type }))
    }
    expect(snapshot.status).toBe("done")
  })
})

const others: readonly (readonly [string, AnyStateMachine])[] = [
  [
    "states within states",
    createMachine({ initial: "a", states: { a: { initial: "b", states: { b: {} } } } })
  ],
  ["something done on entry", createMachine({ initial: "a", states: { a: {}, b: { entry: "tell" } } })],
  ["something done on leaving", createMachine({ initial: "a", states: { a: { exit: "tell" } } })],
  ["a state that is left at once", createMachine({ initial: "a", states: { a: { always: "b" }, b: {} } })],
  [
    "a state that is left after a time",
    createMachine({ initial: "a", states: { a: { after: { 10: "b" } }, b: {} } })
  ],
  ["states side by side", createMachine({ type: "parallel", states: { a: {}, b: {} } })],
  [
    "an action that stands where it is used",
    createMachine({ initial: "a", states: { a: { on: { GO: { actions: () => undefined } } } } })
  ],
  ["an output", createMachine({ initial: "a", output: 1, states: { a: { type: "final" } } })]
]

describe("a machine", () => {
  it.each(others)("is not flat with %s", (_, definition) => expect(isFlat(definition)).toBe(false))

  it("that is not flat is refused before its first step", () => {
    const definition = createMachine({
      id: "deep",
      initial: "a",
      states: { a: { on: { GO: "b" } }, b: { always: "c" }, c: { type: "final" } }
    })
    expect(() => start({ id: "deep", definition })).toThrow("machine deep has more than flat states")
  })
})
