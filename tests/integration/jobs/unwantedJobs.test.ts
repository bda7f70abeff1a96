/** Jobs whose hook is not what it was when they were enqueued: switched off, edited and not trusted yet, gone; and what is no intent. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { Recorded } from "../../../events/Recorded.ts"
import { type Switch, switchesFile, switchesText } from "../../../src/history/switches.ts"
import { type Job, jobsIn } from "../../../src/jobs/Job.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { bash, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { untilJobs } from "../../support/jobs/untilJobs.ts"

const learn = (said: string): string => `import { appendFileSync } from "node:fs"
import { defineHook } from "hooktape"
export default defineHook({
  name: "learn",
  on: "tool.before",
  background: true,
  run: () => appendFileSync(process.env["HOME"] + "/ran", "${said}\\n")
})
`

let place: Station
let host: RunningHost | undefined
beforeEach(async () => {
  place = await station()
  await equip(place)
})
afterEach(async () => {
  await host?.stop("SIGKILL")
  host = undefined
})

const trust = async () => {
  await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
  await place.build(true)
}
const fire = () => place.fire({ input: bash("npm test"), env: { HOOKTAPE_HOST: "off" } })
const serve = async () => {
  host = await startHost(place)
}
const ran = (): string =>
  existsSync(join(place.home, "ran")) ? readFileSync(join(place.home, "ran"), "utf8") : ""

const untilAll = async (is: (jobs: readonly Job[]) => boolean): Promise<readonly Recorded[]> =>
  untilJobs(place.state, (facts) => is(jobsIn(facts)))
const typesOf = (facts: readonly Recorded[]) => facts.map(({ type }) => type.replace("JOB_", ""))

const turn = (enabled: boolean): void => {
  const one: Switch = { hook: "learn", enabled, scope: "user", at: 1 }
  writeFileSync(switchesFile(place.state), switchesText([one]), { mode: 0o600 })
}

it("drops what is queued of a hook that was switched off, and keeps what was switched on again before", {
  timeout: 180_000
}, async () => {
  place.putUser("hooks/learn.ts", learn("first"))
  await place.build()
  await fire()
  turn(false)
  await serve()
  const facts = await untilAll(([job]) => job?.state === "dropped")
  expect(typesOf(facts)).toEqual(["ENQUEUED", "DROPPED"])
  expect(jobsIn(facts)[0]).toMatchObject({ reason: 'disabled with "hooktape hooks"', attempts: 0 })
  expect(ran()).toBe("")
  await host?.stop()
  turn(true)
  await fire()
  turn(false)
  turn(true)
  await serve()
  const more = await untilAll((jobs) => jobs[1]?.state === "done")
  expect(jobsIn(more).map(({ state }) => state)).toEqual(["dropped", "done"])
  expect(ran()).toBe("first\n")
})

it("runs what is queued of a hook that was edited in its last trusted version, until it is trusted", {
  timeout: 180_000
}, async () => {
  place.put(".hooktape/hooks/learn.ts", learn("first"))
  await trust()
  await fire()
  place.put(".hooktape/hooks/learn.ts", learn("second, and longer"))
  await serve()
  const done = await untilAll(([job]) => job?.state === "done")
  expect(typesOf(done)).toEqual(["ENQUEUED", "STARTED", "SUCCEEDED"])
  expect(ran()).toBe("first\n")
  await trust()
  await fire()
  await untilAll((jobs) => jobs[1]?.state === "done")
  expect(ran()).toBe("first\nsecond, and longer\n")
})

it("drops what is queued of a hook that is gone", { timeout: 180_000 }, async () => {
  const file = place.putUser("hooks/learn.ts", learn("first"))
  await place.build()
  await fire()
  rmSync(file)
  await serve()
  const facts = await untilAll(([job]) => job?.state === "dropped")
  expect(typesOf(facts)).toEqual(["ENQUEUED", "DROPPED"])
  expect(jobsIn(facts)[0]?.reason).toBe('no hook is called "learn" any more')
})

it("does not try again what returned no intent", { timeout: 180_000 }, async () => {
  place.putUser(
    "hooks/learn.ts",
    `import { defineHook } from "hooktape"
export default defineHook({ name: "learn", on: "tool.before", background: true, run: () => ({ type: "HINT" }) as never })\n`
  )
  await place.build()
  await fire()
  await serve()
  const facts = await untilAll(([job]) => job?.state === "dead" || (job?.attempts ?? 0) > 1)
  expect(typesOf(facts)).toEqual(["ENQUEUED", "STARTED", "FAILED", "DIED"])
  expect(jobsIn(facts)[0]?.error?.message).toContain("is not an intent")
})
