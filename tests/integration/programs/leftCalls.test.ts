/** Calls that the client left for the next host: taken in with what the host knows of the user's environment. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { sealFrame } from "../../../src/log/sealedFrame.ts"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { requestFrame } from "../../../src/runtime/host/wireProtocol.ts"
import { digestKey } from "../../../src/state/state.ts"
import { trustProject } from "../../../src/tools/build/trust.ts"
import { command } from "../../support/command.ts"
import { dataOf, payloadOf, type Station, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { untilJobs } from "../../support/jobs/untilJobs.ts"
import { probing } from "../../support/probe.ts"

/** What it knows when it is loaded and when it runs. */
const learning = `import { appendFileSync } from "node:fs"
import { defineHook } from "hooktape"
const { HOME, ONE, PATH } = process.env
export default defineHook({
  name: "learning",
  on: ["turn.stop", "session.end"],
  background: true,
  run: ({ event }) => {
    const { CI, CLAUDECODE, HOME: home } = process.env
    const seen = { event, loaded: [HOME, ONE, PATH !== undefined], home, CI, CLAUDECODE, cwd: process.cwd() }
    appendFileSync(home + "/seen", JSON.stringify(seen) + "\\n")
  }
})
`

let hosts: RunningHost[] = []
afterEach(async () => {
  for (const host of hosts) await host.stop("SIGKILL")
  hosts = []
})

/** Built and installed, with nothing that would start a host. */
const furnished = async (): Promise<Station> => {
  const place = await station()
  place.putUser("hooks/learning.ts", learning)
  await place.build()
  await equip(place)
  const start = join(place.state, "bin", "host")
  rmSync(start)
  writeFileSync(start, "#!/bin/sh\n", { mode: 0o700 })
  return place
}

const withHookInSettings = async (place: Station): Promise<void> => {
  const stays = { name: "stays", on: "turn.stop", run: "echo not yet >&2; exit 2" }
  place.put(".git/HEAD", "ref: refs/heads/main\n")
  place.put(".hooktape/config.json", JSON.stringify({ external: [stays] }))
  await Effect.runPromise(trustProject({ state: place.state, project: place.project }))
  await place.build()
  await place.build(true)
}

const left = (place: Station): readonly string[] =>
  readdirSync(join(place.state, "spool")).filter((name) => name.endsWith(".frame"))

const silence = { code: 0, stdout: "", stderr: "" }

describe.skipIf(!existsSync(shippedClient()))("calls that were left for the next host", () => {
  it("have the user's environment again, and of the session only what was theirs", async () => {
    const place = await furnished()
    for (const event of ["Stop", "SessionEnd"])
      expect(
        await place.fire({ event, input: payloadOf(event), env: { CI: "theirs", SECRET: "hush" } })
      ).toMatchObject(silence)
    expect(left(place)).toHaveLength(2)
    hosts.push(await startHost(place, { env: { CLAUDECODE: "1", CI: "of the host", ONE: "1" } }))
    const jobs = await untilJobs(
      place.state,
      (facts) => facts.filter(({ type }) => /^JOB_(SUCCEEDED|FAILED)$/.test(type)).length === 2
    )
    expect(jobs.filter(({ type }) => type === "JOB_FAILED").map(({ data }) => data)).toEqual([])
    const lines = readFileSync(join(place.home, "seen"), "utf8").trim().split("\n")
    const theirs = {
      loaded: [place.home, "1", true],
      home: place.home,
      CI: "theirs",
      cwd: place.project
    }
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { event: "turn.stop", ...theirs },
      { event: "session.end", ...theirs }
    ])
    expect(left(place)).toEqual([])
    const runs = await place.runs()
    expect(runs.map((run) => dataOf(run, "INVOCATION_OPENED")[0]?.env)).toMatchObject([
      { CI: "theirs" },
      { CI: "theirs" }
    ])
  }, 120_000)

  it("are taken in by whoever reads the log where no host can start, each once, and nothing of them is legible before", async () => {
    const place = await furnished()
    const fired = [payloadOf("Stop"), payloadOf("SessionEnd"), "no JSON"]
    for (const [at, input] of fired.entries())
      expect(await place.fire({ event: at === 1 ? "SessionEnd" : "Stop", input })).toMatchObject(silence)
    const calls = left(place).map((name) => name.replace(".frame", ""))
    expect(calls).toHaveLength(3)
    for (const call of calls)
      expect(readFileSync(join(place.state, "spool", `${call}.frame`), "latin1")).not.toContain("session_id")
    const types = async () =>
      (await command(place, "log", "--json")).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter(({ type }) => /^(?:INVOCATION_OPENED|PAYLOAD_REJECTED|EXITED|JOB_ENQUEUED)$/.test(type))
    const seen = await types()
    expect(left(place)).toEqual([])
    expect(seen.filter(({ type }) => type === "INVOCATION_OPENED").map(({ data }) => data.call)).toEqual(
      calls
    )
    expect(seen.map(({ type }) => type).sort()).toEqual([
      ...Array(3).fill("EXITED"),
      ...Array(3).fill("INVOCATION_OPENED"),
      ...Array(2).fill("JOB_ENQUEUED"),
      "PAYLOAD_REJECTED"
    ])
    expect(await types()).toEqual(seen)
    // A reader that died before it had removed the file of a call that it had handled.
    const [first = ""] = calls
    writeFileSync(
      join(place.state, "spool", `${first}.frame`),
      sealFrame(
        digestKey(place.state),
        first,
        requestFrame(
          { token: "", agent: "claude-code", event: "Stop", cwd: place.project, call: first },
          {},
          Buffer.from(payloadOf("Stop"))
        )
      ),
      { mode: 0o600 }
    )
    expect(await types()).toEqual(seen)
    expect(left(place)).toEqual([])
  }, 120_000)

  it("are none where a project has hooks in its settings alone", async () => {
    const place = await furnished()
    expect(await place.fire({ event: "Stop", input: payloadOf("Stop") })).toMatchObject(silence)
    await withHookInSettings(place)
    const answer = await place.fire({ event: "Stop", input: payloadOf("Stop") })
    expect(JSON.parse(answer.stdout)).toMatchObject({ decision: "block", reason: "not yet" })
    expect(left(place)).toHaveLength(1)
  }, 120_000)

  it("are none where a hook's file took the place of another with its size and time", async () => {
    const place = await furnished()
    const file = join(place.userFolder, "hooks", "learning.ts")
    const at = new Date(1_700_000_000_000)
    writeFileSync(file, learning.replace("true,", "true ,"))
    utimesSync(file, at, at)
    await place.build()
    expect(await place.fire({ event: "Stop", input: payloadOf("Stop") })).toMatchObject(silence)
    expect(left(place)).toHaveLength(1)
    // As `cp -p`, `rsync -t` and `git restore-mtime` do it.
    writeFileSync(file, learning.replace("true,", "false,"))
    utimesSync(file, at, at)
    await place.fire({ event: "Stop", input: payloadOf("Stop") })
    expect(left(place)).toHaveLength(1)
  }, 120_000)

  it("have no answer that anybody heard, and the log says so", async () => {
    const place = await furnished()
    expect(await place.fire({ event: "Stop", input: payloadOf("Stop") })).toMatchObject(silence)
    await withHookInSettings(place)
    const { stdout } = await command(place, "log", "--json")
    const facts = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(facts.filter(({ type }) => type === "REPLY_DELIVERED")).toEqual([])
    const [failed] = facts.filter(({ type }) => type === "DELIVERY_FAILED")
    expect(failed.data.error.message).toBe("its client took it for one that no hook has a word on")
  }, 120_000)

  it("that are none are set aside, whoever comes for them", async () => {
    const place = await furnished()
    const name = "01890000-0000-7000-8000-000000000001.frame"
    writeFileSync(join(place.state, "spool", name), "HKS1 not sealed by us", { mode: 0o600 })
    expect(await command(place, "log")).toMatchObject({ code: 0 })
    expect(left(place)).toEqual([])
    expect(existsSync(join(place.state, "spool", "errors", name))).toBe(true)
    expect(readFileSync(join(place.state, "logs", "host.log"), "utf8")).toMatch(/was not sealed under this/)
  })

  it("are never those of a probe, whose mark cannot be left with them", async () => {
    const place = await furnished()
    const fired = await place.fire({
      event: "Stop",
      input: payloadOf("Stop"),
      env: probing(place.state)
    })
    expect(fired).toMatchObject(silence)
    expect(left(place)).toEqual([])
    const [run] = await place.runs()
    expect(run && dataOf(run, "INVOCATION_OPENED")[0]?.transport).toBe("entry")
    expect((await place.facts()).filter(({ type }) => type.startsWith("JOB_"))).toEqual([])
  })
})
