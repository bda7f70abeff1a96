/** An entrypoint that stands still below the client: no agent waits for it without end. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { builtClient, stage } from "../../support/client/stage.ts"
import { bash, dataOf } from "../../support/entrypoint.ts"
import { endPlaces, furnished, processesAt, until } from "../../support/fire/place.ts"

const stopped = `#!/bin/sh
here=\${0%/bin/entry}
echo $$ >"$here/pid"
kill -STOP $$
echo "it goes on" >&2
`

const isThere = (pid: number): boolean => existsSync(`/proc/${pid}`)

it("is ended where it stands still before it began, and the call is counted as lost", async () => {
  const place = stage(builtClient())
  place.script("entry", stopped)
  const fired = await place.fire({ event: "SessionEnd", input: "{}" })
  expect(fired).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("was lost before any had a say")
  })
  expect(place.unreached()).toBe(1)
  const pid = Number(readFileSync(join(place.state, "pid"), "utf8"))
  expect(isThere(pid)).toBe(false)
}, 60_000)

const standsStill = `import { defineHook } from "hooktape"
export default defineHook({ name: "still", on: "tool.before", onFailure: "block", run: () => {
  process.kill(process.pid, "SIGSTOP")
} })
`

it("answers by a guard's policy where that stands still, and records it", async () => {
  const place = await furnished({ hooks: { still: standsStill }, deadlineMs: 1000 })
  place.env["HOOKTAPE_HOST"] = "off"
  try {
    const { stdout } = await place.fire({ input: bash("ls"), env: { NODE_OPTIONS: "" } })
    expect(stdout).toMatch(/"permissionDecision":"deny"/)
    await until(() => processesAt(place).length === 0)
    const [run] = await place.runs()
    expect(run?.types.slice(-2)).toEqual(["REPLY_DELIVERED", "EXITED"])
    if (run) expect(dataOf(run, "REPLY_DELIVERED")[0]?.stdout).toBe(stdout)
  } finally {
    endPlaces()
  }
}, 60_000)
