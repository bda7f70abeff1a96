/** What holds of actors for every run: what is shown live is what the log replays, and a crash loses no state. */
import { describe, expect, it } from "vitest"
import type { InvocationFact } from "../../../events/facts.ts"
import type { FactId } from "../../../events/ids.ts"
import { noMarks, type Recorded } from "../../../events/Recorded.ts"
import { invocation } from "../../../machines/invocation.ts"
import { machineOf } from "../../../machines/machines.ts"
import { evolve, frames, replay, stateOf } from "../../../machines/step.ts"
import { actorsIn, followed, isOver, type LogActor } from "../../../src/runtime/actors/logActors.ts"
import { makeRegistry } from "../../../src/runtime/actors/registry.ts"
import { holds, script } from "../../support/arbitrary.ts"
import { buffered, opened } from "../../support/facts.ts"
import { died, enqueued, failed, started } from "../../support/jobs/facts.ts"
import { everywhere } from "../../support/machines.ts"
import { play } from "../../support/scripted.ts"

const stream = "invocation/1"

const recorded = (facts: readonly { readonly type: string }[], on = stream): readonly Recorded[] =>
  facts.map((data, at) => ({
    ...noMarks,
    id: `${on} ${at}` as FactId,
    stream: on,
    type: data.type,
    schemaVersion: 1,
    at,
    cause: null,
    position: at + 1,
    version: at + 1,
    source: "s",
    recordedAt: at,
    known: true,
    data: JSON.parse(JSON.stringify(data))
  }))

const steps = (all: readonly { readonly fact: string }[]) =>
  all.map((one) => {
    const { after, before, command, fact, refused } = one as unknown as Record<string, unknown>
    return { fact, before, after, command, refused }
  })

const foldedFrames = (facts: readonly Recorded[]) => {
  let actor: LogActor | undefined
  return facts.map((fact) => {
    const step = followed(actor, fact)
    actor = step?.actor
    return step?.frame
  })
}

describe("actors", () => {
  it("are shown live as the log replays them", () =>
    holds(
      script,
      async (scripted) => {
        const { log } = play(scripted)
        const registry = makeRegistry({ now: () => 0 })
        const watcher = registry.watch()
        const actor = registry.enter(invocation, stream, {})
        for (const fact of log) actor.moved(fact, evolve(invocation, actor.snapshot(), fact))
        const live = (await watcher.next(1000)).frames
        const replayed = frames(invocation, JSON.parse(JSON.stringify(log)) as readonly InvocationFact[])
        expect(steps(live)).toEqual(
          replayed.map(({ after, before, command, fact, refused }) => ({
            fact: fact.type,
            before,
            after,
            command: command?.type ?? null,
            refused
          }))
        )
        expect(steps(foldedFrames(recorded(log)) as never)).toEqual(steps(live))
      },
      50
    ))

  it("killed after any fact and rehydrated end where those end that were not", () =>
    holds(
      script,
      (scripted) => {
        const facts = recorded(play(scripted).log)
        const whole = actorsIn(facts)[0]
        for (let killed = 0; killed <= facts.length; killed++) {
          const before = actorsIn(facts.slice(0, killed))[0]
          let actor = before
          for (const fact of facts.slice(killed)) actor = followed(actor, fact)?.actor
          expect(actor?.snapshot.toJSON()).toEqual(whole?.snapshot.toJSON())
          expect(actor?.since).toBe(whole?.since)
        }
      },
      25
    ))

  it.each(everywhere)("of the machine $machine.id stand where replay says", ({ facts, machine }) => {
    const on = `${machine.id}/1`
    expect(machineOf(on)?.id).toBe(machine.id)
    const actor = actorsIn(recorded(facts, on))[0]
    expect(actor && stateOf(actor.snapshot)).toBe(stateOf(replay(machine as never, facts as never)))
  })

  it("are not moved by a fact that no build of this version knows", () => {
    const [first, second] = recorded([opened(), buffered()])
    if (!first || !second) throw new Error("a run has more than one fact")
    const before = followed(undefined, first)?.actor
    const step = followed(before, { ...second, known: false, type: "FROM_LATER" })
    expect(step?.frame).toBeUndefined()
    expect(step?.actor.snapshot).toBe(before?.snapshot)
    expect(step?.actor.version).toBe(2)
  })

  it("are over when their machine is done, and a job that is dead is over for now", () => {
    const job = [enqueued({ maxAttempts: 1 }), started(1), failed(1), died(1)]
    expect([1, 2, 3, 4].map((so) => actorsIn(recorded(job.slice(0, so), "job/1")).map(isOver))).toEqual([
      [false],
      [false],
      [false],
      [true]
    ])
    expect(actorsIn(recorded([{ type: "HOST_STOPPED" }], "host/1")).map(isOver)).toEqual([true])
    expect(actorsIn(recorded([{ type: "HOST_STARTED" }], "host/1")).map(isOver)).toEqual([false])
  })

  it("are none of streams that no machine folds", () => {
    expect(actorsIn(recorded([{ type: "NOTE_RECORDED" }], "note/1"))).toEqual([])
  })
})
