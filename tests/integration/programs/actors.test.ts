/** The actors of a real host: who lives, each step as it is taken, and the same from the log once the host is gone. */
import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import type { ActorFrame } from "../../../src/runtime/actors/ActorView.ts"
import { actorsIn, followed, type LogActor } from "../../../src/runtime/actors/logActors.ts"
import { hostActors, watchHost } from "../../../src/runtime/host/askHost.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { until } from "../../support/fire/place.ts"
import { bareFrame, statesOf } from "../../support/frames.ts"
import { dist, equip, type RunningHost, startHost } from "../../support/host.ts"

const running = new Set<RunningHost>()

afterEach(async () => {
  for (const host of running) await host.stop("SIGKILL")
  running.clear()
})

const hook = `import { defineHook, modelContext } from "hooktape"
export default [
  defineHook({ name: "answers", on: "tool.before", run: () => modelContext("SAID") }),
  defineHook({ name: "later", on: "tool.before", background: true, run: () => undefined })
]`

const watcherId = "0199f5a2-7a3c-7000-8000-000000000001"

const hosted = async () => {
  const place = await station()
  place.putUser("hooks/answers.ts", hook)
  await place.build()
  await equip(place)
  const host = await startHost(place)
  running.add(host)
  return { place, host }
}

/** What is shown until all of it has come. */
const watched = async (place: Station, isAll: (frames: readonly ActorFrame[]) => boolean) => {
  const frames: ActorFrame[] = []
  while (!isAll(frames)) {
    const { frames: more, end } = await Effect.runPromise(watchHost(place.state, watcherId))
    frames.push(...more)
    if (end !== undefined) throw new Error(`the host ended it: ${end}`)
  }
  return frames
}

const of = (machine: string, frames: readonly ActorFrame[]) => frames.filter((one) => one.machine === machine)

describe.skipIf(!existsSync(shippedClient()))("the actors of a host", () => {
  it("are seen in every state, in order, and the log replays the same frames", async () => {
    const { host, place } = await hosted()
    const first = await Effect.runPromise(watchHost(place.state, watcherId))
    expect(first.actors?.map(({ machine, state }) => [machine, state])).toEqual([["host", "ready"]])

    await place.fire({ input: bash("ls") })
    const live = await watched(
      place,
      (frames) =>
        frames.some(({ fact }) => fact === "JOB_SUCCEEDED") &&
        frames.some(({ fact }) => fact === "SESSION_OPENED") &&
        of("handlers", frames).filter(({ fact }) => fact === "HANDLER_PROCESS_FREED").length === 2
    )
    expect(statesOf(of("invocation", live))).toEqual(["buffering", "handling", "emitting", "exiting"])
    expect(statesOf(of("job", live))).toEqual(["queued", "running", "done"])
    // The job may have come while the process of the call was not back yet.
    const processes = new Set(of("handlers", live).map(({ stream }) => stream))
    for (const stream of processes)
      expect(statesOf(live.filter((one) => one.stream === stream)).join(" ")).toMatch(
        /^starting free( busy free)+$/
      )
    expect(statesOf(of("session", live))).toEqual(["unseen", "open"])
    expect(of("session", live)).toMatchObject([{ agent: "claude-code", session: expect.any(String) }])
    expect(of("invocation", live)[1]).toMatchObject({
      agent: "claude-code",
      agentEvent: "PreToolUse",
      session: expect.any(String),
      name: "Bash"
    })
    const now = await Effect.runPromise(hostActors(place.state))
    expect(now.map(({ machine, state }) => [machine, state])).toEqual([
      ["host", "ready"],
      ...[...processes].map(() => ["handlers", "free"]),
      ["session", "open"]
    ])

    await host.stop()
    const facts = await place.facts()
    for (const stream of new Set(live.map((one) => one.stream))) {
      let actor: LogActor | undefined
      const replayed = facts.flatMap((fact) => {
        if (fact.stream !== stream) return []
        const step = followed(actor, fact)
        actor = step?.actor
        return step?.frame ?? []
      })
      const shown = live.filter((one) => one.stream === stream).map(bareFrame)
      // What came after the last look is on the log only.
      expect(replayed.slice(0, shown.length).map(bareFrame)).toEqual(shown)
      expect(shown.length).toBeGreaterThan(stream.startsWith("session/") ? 0 : 2)
    }
  })

  it("have the breaker among them, once what clients counted is on the log", async () => {
    const place = await station()
    await place.build()
    await equip(place)
    const counted = (at: number) => `${`01890000-0000-7000-8000-00000000000${at} 3 no-host`.padEnd(63)}\n`
    writeFileSync(join(place.state, "run", "unreachable"), [1, 2, 3, 4].map(counted).join(""), {
      mode: 0o600
    })
    const host = await startHost(place)
    running.add(host)
    const breaker = async () =>
      (await Effect.runPromise(hostActors(place.state))).find(({ machine }) => machine === "breaker")
    // Whoever reads the log takes in what was counted.
    const replayed = actorsIn(await place.facts()).find(({ machine }) => machine.id === "breaker")
    await until(async () => (await breaker()) !== undefined)
    expect(await breaker()).toMatchObject({ stream: "breaker/hooks", state: replayed?.snapshot.value })
  })

  it("are told from the log once the host was killed, with what it left marked as lost", async () => {
    const { host, place } = await hosted()
    const json = () => {
      const { stdout } = spawnSync(process.execPath, [join(dist, "cli.js"), "actors", "--json"], {
        cwd: place.project,
        env: place.env,
        encoding: "utf8"
      })
      return JSON.parse(stdout) as {
        from: string
        actors: { machine: string; state: string; lost?: boolean }[]
      }
    }
    expect(json()).toMatchObject({ from: "host", actors: [{ machine: "host", state: "ready" }] })
    await host.stop("SIGKILL")
    const { actors, from } = json()
    expect(from).toBe("log")
    expect(actors).toMatchObject([{ machine: "host", state: "ready", lost: true }])
    const folded = actorsIn(await place.facts()).find(({ machine }) => machine.id === "host")
    expect(folded?.snapshot.value).toBe("ready")
  })
})
