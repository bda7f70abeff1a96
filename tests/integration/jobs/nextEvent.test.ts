/** What a background hook found out, at the next event of its session: with a host, and in process after one. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import type { ServiceCalled } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { untilJobs } from "../../support/jobs/untilJobs.ts"

const tests = `import { defineHook, modelContext, userHint } from "hooktape"
export default defineHook({
  name: "affected-tests",
  on: "file.edited",
  background: true,
  deliver: { to: "next", keep: "newest" },
  run: ({ path }) => [modelContext("2 tests of " + path.split("/").at(-1) + " fail"), userHint("tests fail")]
})
`

let hosts: RunningHost[] = []
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  hosts = []
})

const furnished = async () => {
  const place = await station()
  place.putUser("hooks/tests.ts", tests)
  await place.build()
  await equip(place)
  return place
}

const edited = (place: Station, file: string, more: object = {}) => ({
  event: "PostToolUse",
  input: payloadOf("PostToolUse", {
    tool_name: "Write",
    tool_input: { file_path: join(place.project, file), content: "x" },
    tool_response: { type: "create", filePath: join(place.project, file), success: true },
    ...more
  })
})

const asked = (more: object = {}) => ({
  event: "UserPromptSubmit",
  input: payloadOf("UserPromptSubmit", { prompt: "and now?", ...more })
})

const waiting = (place: Station): readonly string[] => {
  const folder = join(place.state, "deliveries")
  return existsSync(folder) ? readdirSync(folder) : []
}

/** The newest of so many jobs that are done. */
const jobsDone = async (place: Station, many: number): Promise<Recorded | undefined> => {
  const done = (facts: readonly Recorded[]) => facts.filter(({ type }) => type === "JOB_SUCCEEDED")
  return done(await untilJobs(place.state, (facts) => done(facts).length === many)).at(-1)
}

const contextOf = ({ stdout }: { readonly stdout: string }): string | undefined =>
  stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput?.additionalContext

const ways = [
  { way: "through client and host", hosted: true },
  { way: "in process, after a host", hosted: false }
]

describe.skipIf(!existsSync(shippedClient())).each(ways)(
  "what a background hook says for the next event, $way",
  ({ hosted }) => {
    const env = hosted ? {} : { HOOKTAPE_HOST: "off" }

    it("reaches the model with the next prompt, once, the newest alone", async () => {
      const place = await furnished()
      const host = await startHost(place)
      hosts.push(host)
      // Nothing waits: nothing is said.
      expect(contextOf(await place.fire(asked()))).toBeUndefined()
      await place.fire({ ...edited(place, "a.ts"), env: {} })
      await jobsDone(place, 1)
      // A subagent's edit is one of the session, and a subagent is told nothing.
      const fired = await place.fire({
        ...edited(place, "b.ts", { agent_id: "sub", agent_type: "x" }),
        env: {}
      })
      expect(contextOf(fired)).toBeUndefined()
      const second = await jobsDone(place, 2)
      expect(second?.data).toMatchObject({
        result: {
          channels: [
            { intent: "MODEL_CONTEXT", channel: "the session's next event" },
            { intent: "USER_HINT", channel: "the session's next event" }
          ]
        }
      })
      expect(waiting(place)).toHaveLength(1)
      if (!hosted) await host.stop("SIGTERM")
      // Another session hears nothing of it.
      expect(contextOf(await place.fire({ ...asked({ session_id: "s-2" }), env }))).toBeUndefined()
      const told = await place.fire({ ...asked(), env })
      expect(contextOf(told)).toMatch(
        /^Hook affected-tests, which ran after file\.edited \d+ s ago:\n2 tests of b\.ts fail$/
      )
      expect(JSON.parse(told.stdout).systemMessage).toBe("tests fail")
      expect(contextOf(await place.fire({ ...asked(), env }))).toBeUndefined()
      const results = (await place.runs())
        .flatMap((run) => run.facts.filter(({ type }) => type === "SERVICE_CALLED"))
        .map(({ data }) => (data as unknown as ServiceCalled).result as { heard: readonly unknown[] })
      expect(results.flatMap(({ heard }) => heard)).toMatchObject([
        { job: second?.stream.slice("job/".length), handler: "affected-tests" }
      ])
      // The call after it saw that it got there.
      expect(waiting(place)).toEqual([])
    }, 120_000)
  }
)
