/** Background hooks for real: client or entrypoint, a host, and jobs that outlive both. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { afterEach, describe, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { type Job, type JobState, jobOf } from "../../../src/jobs/Job.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { bash, dataOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

/** Notes each attempt, then waits until it may go on. */
const learn = `import { appendFileSync, existsSync } from "node:fs"
import { defineHook, diagnostic, userHint } from "hooktape"
const here = process.env["HOME"]
export default defineHook({
  name: "learn",
  on: "tool.before",
  background: true,
  run: async ({ metadata, signal, tool }) => {
    appendFileSync(here + "/attempts", tool.command + " " + JSON.stringify(metadata) + "\\n")
    console.log("learning")
    while (!existsSync(here + "/go")) {
      if (signal.aborted) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (existsSync(here + "/fail")) throw new Error("cannot learn")
    return [diagnostic("info", "learnt"), userHint("too late")]
  }
})
`
const patch = `import { defineHook } from "hooktape"
export default defineHook({ name: "patch", on: "tool.before", run: () => ({ metadata: { patched: true } }) })
`

let hosts: RunningHost[] = []
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  hosts = []
})

const furnished = async () => {
  const place = await station()
  place.putUser("hooks/learn.ts", learn)
  place.putUser("hooks/patch.ts", patch)
  await place.build()
  await equip(place)
  return place
}

const host = async (place: Station): Promise<RunningHost> => {
  const running = await startHost(place)
  hosts.push(running)
  return running
}

const inHome = (place: Station, name: string) => join(place.home, name)
const touch = (place: Station, name: string) => writeFileSync(inHome(place, name), "")
const attempts = (place: Station): readonly string[] =>
  existsSync(inHome(place, "attempts"))
    ? readFileSync(inHome(place, "attempts"), "utf8").trim().split("\n")
    : []

/** The place's only job and its facts, once they say what is waited for. */
const untilJob = async (place: Station, is: (job: Job) => boolean) => {
  const recorded: Recorded[] = []
  let job: Job | undefined
  await Effect.flatMap(EventLog, (log) =>
    Stream.runForEachWhile(log.follow(0, { streamPrefix: "job/" }), (fact) =>
      Effect.sync(() => {
        recorded.push(fact)
        job = jobOf(recorded)
        return job === undefined || !is(job)
      })
    )
  ).pipe(
    Effect.provide(
      Layer.fresh(layerSqlite({ file: join(place.state, "log.sqlite"), source: "test", pollMs: 20 }))
    ),
    Effect.runPromise
  )
  return { job: job as unknown as Job, types: recorded.map(({ type }) => type.replace("JOB_", "")) }
}

const untilState = (place: Station, state: JobState) => untilJob(place, (job) => job.state === state)

const ways = [
  { way: "through client and host", hosted: true },
  { way: "in process, with a host that comes later", hosted: false }
]

describe.skipIf(!existsSync(shippedClient())).each(ways)("a background hook, $way", ({ hosted }) => {
  const firing = { input: bash("npm test"), env: hosted ? {} : { HOOKTAPE_HOST: "off" } }

  it("keeps nobody waiting, and is done after the reply with the context of its invocation", async () => {
    const place = await furnished()
    if (hosted) await host(place)
    // It cannot end before it may: whoever waited for it would not come back.
    const fired = await place.fire(firing)
    expect(fired).toMatchObject({ code: 0, stdout: "", stderr: "" })
    if (!hosted) {
      expect(attempts(place)).toEqual([])
      const spooled = (await place.facts()).filter(({ type }) => type.startsWith("JOB_"))
      expect(spooled.map(({ type }) => type)).toEqual(["JOB_ENQUEUED"])
      await host(place)
    }
    await untilState(place, "running")
    touch(place, "go")
    const { job, types } = await untilState(place, "done")
    expect(types).toEqual(["ENQUEUED", "STARTED", "SUCCEEDED"])
    expect(attempts(place)).toEqual(['npm test {"patched":true}'])
    expect(job).toMatchObject({
      handler: "learn",
      event: "tool.before",
      project: place.project,
      session: "s-1",
      result: {
        intents: [
          { type: "DIAGNOSTIC", level: "info", message: "learnt" },
          { type: "USER_HINT", text: "too late" }
        ],
        channels: [{ channel: "log" }, { channel: "undeliverable" }]
      },
      history: [{ outcome: "succeeded", noise: [{ stream: "stdout", text: "learning\n" }] }]
    })
    const [run] = (await place.runs()).filter(({ id }) => id === job.invocation)
    expect(run && dataOf(run, "HANDLER_STARTED").map(({ handler }) => handler)).toEqual(["patch"])
    expect(run?.types.at(-1)).toBe("EXITED")
  }, 120_000)
})

describe.skipIf(!existsSync(shippedClient()))("the job of a background hook", () => {
  it("is done by the next host when the first is killed in the middle of it", async () => {
    const place = await furnished()
    const first = await host(place)
    await place.fire({ input: bash("npm test") })
    await untilState(place, "running")
    await first.stop("SIGKILL")
    touch(place, "go")
    await host(place)
    const { job, types } = await untilState(place, "done")
    expect(types).toEqual(["ENQUEUED", "STARTED", "FAILED", "STARTED", "SUCCEEDED"])
    expect(job.history[0]).toMatchObject({ outcome: "failed", error: { name: "HostGone" } })
  }, 120_000)

  it("is given back when its host is asked to stop, and that attempt does not count", async () => {
    const place = await furnished()
    const first = await host(place)
    await place.fire({ input: bash("npm test") })
    await untilState(place, "running")
    const stopped = await first.stop()
    expect(stopped).toEqual({ code: 0, signal: null })
    touch(place, "go")
    await host(place)
    const { job, types } = await untilState(place, "done")
    expect(types).toEqual(["ENQUEUED", "STARTED", "RELEASED", "STARTED", "SUCCEEDED"])
    expect(job.failures).toBe(0)
  }, 120_000)

  it("is tried again when the hook fails", async () => {
    const place = await furnished()
    touch(place, "go")
    touch(place, "fail")
    await host(place)
    await place.fire({ input: bash("npm test") })
    await untilState(place, "waiting")
    rmSync(inHome(place, "fail"))
    const { job } = await untilState(place, "done")
    expect(job.history[0]).toMatchObject({
      outcome: "failed",
      error: { name: "Error", message: "cannot learn" },
      noise: [{ stream: "stdout", text: "learning\n" }]
    })
    expect(job.history.at(-1)?.outcome).toBe("succeeded")
  }, 120_000)
})
