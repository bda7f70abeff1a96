/** Services for real: the same by entrypoint and host, on the log before the outcome, and answered from there in a replay. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import type { ServiceCalled } from "../../../events/facts.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { makeRerun } from "../../../src/tools/replay/rerun.ts"
import { bash, dataOf, type Run, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"

/** Says all that the services answered, so that a reply differs as soon as one answer does. */
const asker = `import { defineHook, modelContext } from "hooktape"
export default defineHook({
  name: "asker",
  on: "tool.before",
  settings: { file: "notes.txt" },
  run: async ({ services, settings }) => {
    const { call, clock, files, log, random, run, transcript } = services
    const said = {
      now: clock.now(),
      random: random.next(),
      file: await files.read(settings.file as string),
      ran: await run("sh", ["-c", "echo ran >> ran.txt; echo out"]),
      log: (await log.facts({ types: ["PAYLOAD_BUFFERED"], pick: ["tool.command"] })).facts.map(({ data }) => data),
      transcript: (await transcript.read()).problem,
      own: await call("own", 1, () => process.pid)
    }
    return modelContext(JSON.stringify(said))
  }
})
`

let hosts: RunningHost[] = []
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  hosts = []
})

const furnished = async (hook = asker) => {
  const place = await station()
  place.putUser("hooks/asker.ts", hook)
  place.put("notes.txt", "what is here")
  await place.build()
  return place
}

const calledIn = (run: Run | undefined) =>
  (run ? dataOf(run, "SERVICE_CALLED") : []) as readonly ServiceCalled[]
const contextOf = (stdout: string) =>
  JSON.parse(
    (JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
      .additionalContext
  )

/** What a replay with the hooks as they are now finds. */
const replayed = async (place: Station, run: Run) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const empty = join(place.home, "empty")
        place.put("../empty/_none.ts", "")
        const rerun = yield* makeRerun(join(place.userFolder, "hooks"), { userFolder: empty })
        return (yield* rerun(run.facts))?.differences ?? []
      })
    )
  )

const ways = [
  { way: "by the entrypoint", hosted: false },
  { way: "by a host", hosted: true }
]

describe.skipIf(!existsSync(shippedClient())).each(ways)("services, $way", ({ hosted }) => {
  it("answer, stand on the log before the outcome, and answer the same in a replay that touches nothing", async () => {
    const place = await furnished()
    await equip(place)
    if (hosted) hosts.push(await startHost(place))
    const firing = { input: bash("npm test"), env: hosted ? {} : { HOOKTAPE_HOST: "off" } }
    await place.fire(firing)
    const fired = await place.fire({ ...firing, input: bash("npm run build") })
    expect(fired).toMatchObject({ code: 0, stderr: "" })
    const said = contextOf(fired.stdout)
    expect(said).toMatchObject({
      file: { text: "what is here" },
      ran: { exitCode: 0, stdout: "out\n" },
      transcript: expect.stringMatching(/transcript/)
    })
    expect(said.log).toContainEqual({ "tool.command": "npm test" })
    const run = (await place.runs()).at(-1)
    if (!run) throw new Error("nothing was recorded")
    const started = run.types.indexOf("HANDLER_STARTED")
    const called = calledIn(run)
    expect(called.map(({ service }) => service)).toEqual([
      "clock.now",
      "random.next",
      "files.read",
      "run",
      "log.facts",
      "transcript.read",
      "call own"
    ])
    expect(run.types.slice(started + 1)).toEqual([
      ...called.map(() => "SERVICE_CALLED"),
      "HANDLER_SUCCEEDED",
      "REPLY_DELIVERED",
      "EXITED"
    ])

    // Another world: the same reply, and nothing of it was done again.
    writeFileSync(join(place.project, "notes.txt"), "something else")
    rmSync(join(place.project, "ran.txt"))
    expect(await replayed(place, run)).toEqual([])
    expect(existsSync(join(place.project, "ran.txt"))).toBe(false)
  }, 120_000)
})

describe("a replay with hooks that ask for something else", () => {
  it("fails them by name, and asks nobody", async () => {
    const place = await furnished()
    await place.fire({ input: bash("npm test") })
    const run = (await place.runs()).at(-1)
    if (!run) throw new Error("nothing was recorded")
    place.putUser("hooks/asker.ts", asker.replace("echo ran >> ran.txt", "echo other >> ran.txt"))
    const differences = await replayed(place, run)
    expect(differences[0]).toMatchObject({
      check: "handler",
      at: "outcome",
      recorded: "HANDLER_SUCCEEDED",
      now: "HANDLER_FAILED"
    })
    expect(readFileSync(join(place.project, "ran.txt"), "utf8")).toBe("ran\n")
  }, 120_000)
})

describe("services of a handler that fails or is late", () => {
  it("are on the log all the same, with what had no answer yet", async () => {
    const place = await furnished(`import { defineHook } from "hooktape"
export default defineHook({
  name: "asker", on: "tool.before", deadline: "5 seconds",
  run: async ({ services, tool }) => {
    await services.files.exists("notes.txt")
    if (tool.command === "fail") throw new Error("failed")
    await services.run("sleep", ["600"])
  }
})`)
    const failed = await place.runOf(await place.fire({ input: bash("fail") }))
    expect(calledIn(failed)).toMatchObject([{ service: "files.exists", result: "file" }])
    const late = await place.runOf(await place.fire({ input: bash("wait") }))
    expect(late.types).toContain("HANDLER_TIMED_OUT")
    expect(calledIn(late)).toMatchObject([
      { service: "files.exists" },
      { service: "run", input: { command: "sleep" }, error: { name: "Unfinished" } }
    ])
  }, 120_000)
})
