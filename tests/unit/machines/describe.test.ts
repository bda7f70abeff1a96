/** Machines as data: what is described is what they do. */
import { describe, expect, it } from "vitest"
import { describeMachine } from "../../../machines/describe.ts"
import { handlers } from "../../../machines/handlers.ts"
import type { AnyMachine } from "../../../machines/machines.ts"
import { everywhere } from "../../support/machines.ts"

describe("a described machine", () => {
  it("has its states in order, and its transitions with their conditions", () => {
    const { initial, machine, states, transitions } = describeMachine(handlers as AnyMachine)
    expect({
      machine,
      initial,
      states: states.map(({ final, name }) => (final ? `${name}.` : name))
    }).toEqual({
      machine: "handlers",
      initial: "starting",
      states: ["starting", "free", "busy", "spoilt", "ended."]
    })
    expect(transitions).toContainEqual({
      from: "busy",
      fact: "HANDLER_PROCESS_SPOILT",
      to: "spoilt",
      guard: null,
      asks: true
    })
  })

  it.each(everywhere)(
    "has every way that $machine.id is seen to go, and no state that it never comes to",
    ({ explored, machine }) => {
      const described = describeMachine(machine as AnyMachine)
      const ways = new Set(described.transitions.map(({ fact, from, to }) => `${from} ${fact} ${to}`))
      const taken = explored().edges.map(({ fact, from, to }) => `${from} ${fact} ${to}`)
      expect(taken.filter((way) => !ways.has(way))).toEqual([])
      expect([...ways].filter((way) => !taken.includes(way))).toEqual([])
      const reached = new Set([described.initial, ...described.transitions.map(({ to }) => to)])
      expect(described.states.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([])
    }
  )
})
