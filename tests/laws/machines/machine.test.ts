/** What holds of the invocation machine for every run and for every order of facts. */
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type AnyMachineSnapshot, initialTransition, transition } from "xstate"
import type { InvocationFact } from "../../../events/facts.ts"
import { breaker } from "../../../machines/breaker.ts"
import { host } from "../../../machines/host.ts"
import { type InvocationContext, invocation } from "../../../machines/invocation.ts"
import { job } from "../../../machines/job.ts"
import { evolve, isFinal, replay, start, stateOf } from "../../../machines/step.ts"
import { holds, invocationFact, script } from "../../support/arbitrary.ts"
import {
  exploreBreaker,
  exploreInvocation,
  exploreJob,
  invocationTypes,
  jobTypes
} from "../../support/machines.ts"
import { handlersOf, play } from "../../support/scripted.ts"

/** As the log gives it back. */
const reread = (facts: readonly InvocationFact[]): readonly InvocationFact[] =>
  JSON.parse(JSON.stringify(facts))

describe("a step", () => {
  it("is what XState's own transition makes of it, and asks for the same", () =>
    holds(
      script,
      (scripted) => {
        const [first, none] = initialTransition(invocation.definition)
        expect(none).toEqual([])
        let own = start(invocation).snapshot
        let theirs = first as AnyMachineSnapshot
        expect(own.toJSON()).toEqual(theirs.toJSON())
        for (const fact of play(scripted).log) {
          const step = evolve(invocation, own, fact)
          const [next, actions] = transition(invocation.definition, theirs, fact)
          own = step.snapshot
          theirs = next as AnyMachineSnapshot
          expect(own.toJSON()).toEqual(theirs.toJSON())
          expect(step.command).toEqual(actions.find(({ type }) => String(type) === "command")?.params)
        }
      },
      100
    ))

  it("leaves the snapshot it began with as it was", () =>
    holds(
      script,
      (scripted) => {
        const { log } = play(scripted)
        let { snapshot } = start(invocation)
        for (const fact of log) {
          const before = JSON.stringify(snapshot)
          const next = evolve(invocation, snapshot, fact).snapshot
          expect(JSON.stringify(snapshot)).toBe(before)
          snapshot = next
        }
      },
      50
    ))

  it.each([invocation, breaker, job, host])(
    "of $id: nothing is asked for before the first fact",
    ({ definition }) => {
      const [first, actions] = initialTransition(definition)
      expect(actions).toEqual([])
      expect(start({ id: "", definition }).snapshot.toJSON()).toEqual((first as AnyMachineSnapshot).toJSON())
    }
  )
})

describe("a run", () => {
  it("ends in the state that its log proves", () =>
    holds(script, (scripted) => {
      const { log, end } = play(scripted)
      const again = replay(invocation, reread(log))
      expect(stateOf(again)).toBe(stateOf(end))
      expect(again.context).toEqual(end.context)
    }))

  it("can be taken up at any fact: every prefix of its log is where it stood then", () =>
    holds(
      script,
      (scripted) => {
        const { log } = play(scripted)
        let { snapshot } = start(invocation)
        log.forEach((recorded, at) => {
          expect(replay(invocation, log.slice(0, at)).context).toEqual(snapshot.context)
          snapshot = evolve(invocation, snapshot, recorded).snapshot
        })
      },
      50
    ))

  it("always ends, with one reply and one exit, whatever its handlers do", () =>
    holds(script, (scripted) => {
      const { log, end, refused } = play(scripted)
      expect(isFinal(end)).toBe(true)
      expect(refused).toEqual([])
      const count = (...types: string[]) => log.filter(({ type }) => types.includes(type)).length
      expect([count("REPLY_DELIVERED", "DELIVERY_FAILED"), count("EXITED")]).toEqual([1, 1])
      expect(log.at(-1)).toMatchObject({ type: "EXITED", code: scripted.exitCode })
    }))

  it("executes no command twice and every handler at most once", () =>
    holds(script, (scripted) => {
      const { executed } = play(scripted)
      const names = executed.map((command) => {
        return "planned" in command ? `${command.type} ${command.planned.index}` : command.type
      })
      expect(new Set(names).size).toBe(names.length)
      const runs = scripted.rejected
        ? 0
        : scripted.handlers.filter(({ fate }) => fate.kind !== "is skipped").length
      expect(executed.filter(({ type }) => type === "RUN_HANDLER")).toHaveLength(runs)
    }))

  it("delivers what its handlers asked for in their order, and the failures of the others by their policy", () =>
    holds(script, (scripted) => {
      const { executed } = play(scripted)
      const delivered = executed.find(({ type }) => type === "DELIVER")
      const told = delivered?.type === "DELIVER" ? delivered.intents : []
      if (scripted.rejected) return expect(told.map(({ handler }) => handler)).toEqual(["hooktape"])
      const names = handlersOf(scripted).map(({ handler }) => handler)
      const expected = scripted.handlers.flatMap(({ fate, policy }, index) => {
        const handler = names[index]
        if (fate.kind === "succeeds") return fate.intents.map((intent) => ({ handler, intent }))
        const warned = { handler, intent: expect.objectContaining({ type: "DIAGNOSTIC" }) }
        if (fate.kind === "is skipped" || policy === "allow") return [warned]
        const consequence = policy === "block" ? { type: "BLOCKING_FEEDBACK" } : { permission: "ask" }
        return [warned, { handler, intent: expect.objectContaining(consequence) }]
      })
      expect(told).toEqual(expected)
    }))

  it("lets each handler see the patches of those before it, and only of those that succeeded", () =>
    holds(script, (scripted) => {
      let metadata = {}
      const { executed } = play(scripted)
      for (const command of executed) {
        if (command.type !== "RUN_HANDLER") continue
        expect(command.metadata).toEqual(metadata)
        const fate = scripted.handlers[command.planned.index]?.fate
        if (fate?.kind === "succeeds") metadata = { ...metadata, ...fate.patch }
      }
    }))
})

describe("any facts in any order", () => {
  it("are each taken or visibly refused, and ask for at most one command", () =>
    holds(FastCheck.array(invocationFact, { maxLength: 12 }), (facts) => {
      let { snapshot } = start(invocation)
      for (const fact of facts) {
        const accepts = snapshot.can(fact)
        const step = evolve(invocation, snapshot, fact)
        expect(step.refused).toBe(!accepts)
        if (step.refused) {
          expect(step.snapshot).toBe(snapshot)
          expect(step.command).toBeUndefined()
        }
        snapshot = step.snapshot
      }
    }))

  it("leave a snapshot as it was: evolving is pure", () =>
    holds(FastCheck.tuple(script, invocationFact), ([scripted, fact]) => {
      const before = replay(invocation, play(scripted).log.slice(0, 4))
      const kept = JSON.stringify([before.value, before.context])
      const first = evolve(invocation, before, fact)
      const second = evolve(invocation, before, fact)
      expect(JSON.stringify([before.value, before.context])).toBe(kept)
      expect(second.snapshot.context).toEqual(first.snapshot.context)
      expect(second.command).toEqual(first.command)
    }))

  it("move a valid run nowhere else when they are refused in between", () =>
    holds(
      FastCheck.tuple(script, FastCheck.array(invocationFact, { maxLength: 8 })),
      ([scripted, strangers]) => {
        const { log, end } = play(scripted)
        let { snapshot } = start(invocation)
        log.forEach((recorded, at) => {
          const stranger = strangers[at % Math.max(1, strangers.length)]
          if (stranger && !snapshot.can(stranger)) snapshot = evolve(invocation, snapshot, stranger).snapshot
          snapshot = evolve(invocation, snapshot, recorded).snapshot
        })
        expect(snapshot.context).toEqual(end.context)
      }
    ))
})

describe("every state with every fact", () => {
  it.each([
    ["invocation", invocation, exploreInvocation, invocationTypes.length],
    ["breaker", undefined, exploreBreaker, 2],
    ["job", undefined, exploreJob, jobTypes.length]
  ] as const)("of the %s is a transition or a refusal", (_, __, explored, types) => {
    const { snapshots, edges, refusals, states } = explored()
    expect(snapshots.length).toBeGreaterThan(states.length)
    for (const state of states) {
      const taken = edges.filter(({ from }) => from === state).map(({ fact }) => fact)
      const refused = refusals
        .filter(({ snapshot }) => stateOf(snapshot) === state)
        .map(({ fact }) => fact.type)
      expect(new Set([...taken, ...refused]).size, `facts answered in ${state}`).toBe(types)
    }
  })

  it("leads on: from every state that is reached, the end can be reached", () => {
    const { snapshots, edges } = exploreInvocation()
    const stuck = snapshots.filter(
      (snapshot) =>
        !isFinal(snapshot) &&
        !edges.some(({ from, command, to }) => {
          return from === stateOf(snapshot) && (command !== "" || to !== from)
        })
    )
    expect(stuck).toEqual([])
    expect(snapshots.some((snapshot) => (snapshot.context as InvocationContext).phase === "delivered")).toBe(
      true
    )
  })
})
