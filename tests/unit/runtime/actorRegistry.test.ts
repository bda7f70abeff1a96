/** Which actors live, where each stands, and what whoever watches them is shown. */
import { describe, expect, it } from "vitest"
import type { HostFact } from "../../../events/facts.ts"
import { type HostCommand, host } from "../../../machines/host.ts"
import { evolve } from "../../../machines/step.ts"
import type { LiveActor } from "../../../src/runtime/actors/registry.ts"
import { makeRegistry } from "../../../src/runtime/actors/registry.ts"

const began: HostFact = { type: "HOST_STARTED", build: "1", pid: 1, runtime: "node" }
const isReady: HostFact = { type: "HOST_READY", socket: "/s" }

const take = (actor: LiveActor<HostFact, HostCommand>, fact: HostFact) =>
  actor.moved(fact, evolve(host, actor.snapshot(), fact))

const registry = () => {
  let at = 0
  const changes: boolean[] = []
  const made = makeRegistry({ now: () => at, watched: (is) => changes.push(is) })
  return {
    ...made,
    changes,
    at: (time: number) => {
      at = time
    }
  }
}

describe("the registry", () => {
  it("has an actor from when it enters until it leaves, in its state since it came to it", () => {
    const { actors, at, enter } = registry()
    const actor = enter(host, "host/1", { project: "/p" })
    expect(actors()).toEqual([
      {
        stream: "host/1",
        machine: "host",
        state: "starting",
        since: "1970-01-01T00:00:00.000Z",
        project: "/p"
      }
    ])
    at(1000)
    take(actor, began)
    expect(actors()[0]).toMatchObject({ state: "starting", since: "1970-01-01T00:00:00.000Z" })
    at(2000)
    take(actor, isReady)
    expect(actors()[0]).toMatchObject({ state: "ready", since: "1970-01-01T00:00:02.000Z" })
    actor.leave()
    expect(actors()).toEqual([])
  })

  it("shows each step to whoever watches, with what was learnt of the actor meanwhile", async () => {
    const { enter, watch } = registry()
    const actor = enter(host, "host/1", {})
    const watcher = watch()
    take(actor, began)
    actor.about({ name: "first" })
    take(actor, isReady)
    take(actor, isReady)
    const { frames, end } = await watcher.next(1000)
    expect(end).toBeUndefined()
    expect(
      frames.map(({ fact, before, after, command, refused, name }) => [
        fact,
        before,
        after,
        command,
        refused,
        name
      ])
    ).toEqual([
      ["HOST_STARTED", "starting", "starting", "LISTEN", false, undefined],
      ["HOST_READY", "starting", "ready", "SERVE", false, "first"],
      ["HOST_READY", "ready", "ready", null, true, "first"]
    ])
  })

  it("makes no frame where nobody watches", () => {
    const { enter, isWatched } = registry()
    const actor = enter(host, "host/1", {})
    expect(isWatched()).toBe(false)
    // What a frame is made of is looked at only for one.
    const fact = {
      get type(): "HOST_READY" {
        throw new Error("a frame was made")
      },
      socket: "/s"
    }
    actor.moved(fact, { snapshot: actor.snapshot(), command: undefined, refused: false })
  })

  it("drops one that does not keep up, tells it, and goes on for the others", async () => {
    const { changes, enter, isWatched, watch } = registry()
    const actor = enter(host, "host/1", {})
    const slow = watch(2)
    const other = watch()
    for (let step = 0; step < 3; step++) take(actor, began)
    expect(await slow.next(1000)).toEqual({ frames: [], end: "too-slow" })
    expect((await other.next(1000)).frames).toHaveLength(3)
    expect(isWatched()).toBe(true)
    other.close()
    expect(isWatched()).toBe(false)
    expect(changes).toEqual([true, false])
  })

  it("answers a watcher that waits with the first step, or with nothing once its time is over", async () => {
    const { enter, watch } = registry()
    const actor = enter(host, "host/1", {})
    const watcher = watch()
    const waiting = watcher.next(60_000)
    take(actor, began)
    expect((await waiting).frames).toHaveLength(1)
    expect(await watcher.next(1)).toEqual({ frames: [] })
  })

  it("tells those that wait when nobody acts any more", async () => {
    const { close, watch } = registry()
    const waiting = watch().next(60_000)
    close()
    expect(await waiting).toEqual({ frames: [], end: "closed" })
  })

  it("asks others for the actors that they have only when somebody looks", () => {
    const { actors, source } = registry()
    let asked = 0
    source(() => {
      asked++
      return [{ stream: "job/1", machine: "job", state: "queued", since: "1970-01-01T00:00:00.000Z" }]
    })
    expect(asked).toBe(0)
    expect(actors().map(({ stream }) => stream)).toEqual(["job/1"])
    expect(asked).toBe(1)
  })
})
