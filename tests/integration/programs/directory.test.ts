/** Calls from nowhere: an agent names a directory that does not exist, one that is no text, or is started in one that is gone. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { bash, dataOf, payloadOf, type Station } from "../../support/entrypoint.ts"
import { answers, answerTo } from "../../support/fire/calls.ts"
import { endPlaces, furnished } from "../../support/fire/place.ts"
import { startHost } from "../../support/host.ts"

afterEach(endPlaces)

const needs = (name: string, more = "") => `import { defineHook, modelContext } from "hooktape"
export default defineHook({ name: "${name}", on: "tool.before", needsDirectory: true, ${more} run: () => modelContext("NEEDED") })
`
const guard = needs("guard", 'onFailure: "block", when: { command: "guarded" },')

const missing = "the payload's working directory does not exist"
const noText = "the payload's working directory is no text"
const cases: readonly (readonly [string, unknown, string])[] = [
  ["does not exist", "/nowhere/at/all", missing],
  ["is a file", "/dev/null", missing],
  ["is not absolute", "src", missing],
  ["is a number", 42, noText],
  ["is a list", ["/"], noText]
]

const leftOut = (reason: string) => ({ handler: "needs", event: "tool.before", reason, by: "directory" })

const check = async (place: Station) => {
  for (const [name, cwd, problem] of cases) {
    const fired = await place.fire({ input: bash("ls", { tool_use_id: name, cwd }) })
    expect({ name, ...fired }).toMatchObject({ name, code: 0, stdout: answerTo(name) })
    expect(fired.stderr).toContain(`${problem}; hooks that need it are left out`)
    const run = await place.runOf(fired)
    const [plan] = dataOf(run, "HANDLERS_PLANNED")
    expect(plan?.left).toContainEqual(leftOut(problem))
    expect(plan?.notices).toContainEqual(
      expect.objectContaining({
        type: "DIAGNOSTIC",
        level: "warn",
        message: expect.stringContaining(problem)
      })
    )
    expect(plan?.handlers.map(({ handler }) => handler)).toEqual(["answers"])
  }
  const guarded = await place.fire({ input: bash("guarded", { tool_use_id: "guarded", cwd: "/nowhere" }) })
  expect(JSON.parse(guarded.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" })
  // Nobody waits for it: there is no process for its hooks.
  const unwanted = payloadOf("Notification", { cwd: "/nowhere" })
  const unheard = await place.fire({ event: "Notification", input: unwanted })
  expect(unheard).toMatchObject({ code: 0, stderr: expect.stringContaining(missing) })
  const there = await place.fire({ input: bash("ls", { tool_use_id: "there", cwd: place.project }) })
  expect([there.stdout, there.stderr]).toEqual([expect.stringContaining("NEEDED"), ""])
}

/** Started in a directory that is gone by then. */
const checkGone = async (place: Station) => {
  const gone = join(place.home, "gone")
  mkdirSync(gone)
  const command = `cd '${gone}' && rmdir '${gone}' && exec '${place.state}/bin/hook' claude-code PreToolUse`
  const { status, stderr, stdout } = spawnSync("sh", ["-c", command], {
    env: place.env,
    input: bash("ls", { tool_use_id: "gone" }),
    encoding: "utf8"
  })
  const problem = "the working directory does not exist"
  expect([status, stdout]).toEqual([0, answerTo("gone")])
  expect(stderr).toContain(`${problem}; hooks that need it are left out`)
  const run = (await place.runs()).find((one) => dataOf(one, "PAYLOAD_BUFFERED")[0]?.toolUseId === "gone")
  const left = run && dataOf(run, "HANDLERS_PLANNED")[0]?.left
  expect(left).toContainEqual(leftOut(problem))
}

describe.skipIf(!existsSync(shippedClient()))("a call whose directory is none", () => {
  it("is told so in process, and hooks that need one are left out", async () => {
    const place = await furnished({ hooks: { answers, needs: needs("needs"), guard } })
    place.env["HOOKTAPE_HOST"] = "off"
    await check(place)
    await checkGone(place)
  })

  it("is told so by the host, and hooks that need one are left out", async () => {
    const place = await furnished({ hooks: { answers, needs: needs("needs"), guard } })
    const host = await startHost(place)
    await check(place)
    await checkGone(place)
    expect(await host.stop()).toEqual({ code: 0, signal: null })
  })
})
