/** What a handler wants remembered is stored after the reply, and the hooks on `reflection.before` see it first. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { afterEach, describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

const adder = (name: string, more: string) => `import { defineHook } from "hooktape"
export default defineHook({
  name: ${JSON.stringify(name)}, on: "tool.before", ${more}
  run: async ({ services, tool }) => {
    await services.notes.add({ text: ${JSON.stringify(name)} + " saw " + tool.command, kind: "seen", tags: ["shell"], importance: 0.5 })
    await services.notes.add({ text: "" }).catch(() => undefined)
  }
})
`
const loud = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({
  name: "loud", on: "reflection.before",
  run: ({ text }) => text.includes("secret plan") ? blockingFeedback("not that") : { metadata: { text: text.toUpperCase() } }
})
`

let hosts: RunningHost[] = []
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  hosts = []
})

/** All facts, once enough of them are there. */
const until = async (
  { state }: Station,
  enough: (facts: readonly Recorded[]) => boolean
): Promise<readonly Recorded[]> => {
  const facts: Recorded[] = []
  await Effect.flatMap(EventLog, (log) =>
    Stream.runForEachWhile(log.follow(0), (fact) =>
      Effect.sync(() => {
        facts.push(fact)
        return !enough(facts)
      })
    )
  ).pipe(
    Effect.provide(Layer.fresh(layerSqlite({ file: join(state, "log.sqlite"), source: "test", pollMs: 20 }))),
    Effect.runPromise
  )
  return facts
}

const of = (facts: readonly Recorded[], type: string) => facts.filter((fact) => fact.type === type)
const done = (facts: readonly Recorded[], jobs: number) => of(facts, "JOB_SUCCEEDED").length === jobs

describe.skipIf(!existsSync(shippedClient()))("notes of handlers", () => {
  it("are stored by a job: of one that ran before the reply, and of one that ran after it", async () => {
    const place = await station()
    place.putUser("hooks/before.ts", adder("before", ""))
    place.putUser("hooks/after.ts", adder("after", "background: true,"))
    place.putUser("hooks/loud.ts", loud)
    await place.build()
    await equip(place)
    hosts.push(await startHost(place))
    expect(await place.fire({ input: bash("npm test") })).toMatchObject({ code: 0, stderr: "" })
    // The background hook, and a note of each.
    const facts = await until(place, (seen) => done(seen, 3) && of(seen, "NOTE_RECORDED").length === 2)
    const notes = of(facts, "NOTE_RECORDED").map(({ data, project, session }) => ({
      ...(data as object),
      project,
      session
    }))
    expect(notes).toHaveLength(2)
    for (const name of ["before", "after"])
      expect(notes).toContainEqual(
        expect.objectContaining({
          text: `${name.toUpperCase()} SAW NPM TEST`,
          kind: "seen",
          tags: ["shell"],
          importance: 0.5,
          source: `hook ${name}`,
          project: place.project,
          session: "s-1"
        })
      )
    const jobs = of(facts, "JOB_ENQUEUED").map(({ data }) => (data as { kind: string }).kind)
    expect(jobs.toSorted()).toEqual(["hook", "note", "note"])
  }, 120_000)

  it("are not stored where a hook does not want them, and the job says who", async () => {
    const place = await station()
    place.putUser("hooks/before.ts", adder("before", ""))
    place.putUser("hooks/loud.ts", loud)
    await place.build()
    await equip(place)
    hosts.push(await startHost(place))
    await place.fire({ input: bash("secret plan") })
    const facts = await until(place, (seen) => done(seen, 1))
    expect(of(facts, "JOB_SUCCEEDED")[0]?.data).toMatchObject({ result: { refusedBy: "loud" } })
    expect(of(facts, "NOTE_RECORDED")).toEqual([])
  }, 120_000)
})
