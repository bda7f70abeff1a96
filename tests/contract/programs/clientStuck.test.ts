/** An entrypoint that stands still below the client: no agent waits for it without end. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { builtClient, stage } from "../../support/client/stage.ts"
import { bash, dataOf, outcomeOf } from "../../support/entrypoint.ts"
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

/** Answers as the entrypoint does: what standard output does not take, the other way. Its time is over before that is known. */
const answers = `#!${process.execPath}
const { readSync, writeSync } = process.getBuiltinModule("node:fs")
const [descriptor, secret] = process.env.HOOKTAPE_HOLD.split(".")
const send = (kind, code, leftMs, out = "", err = "") => {
  const fields = Buffer.alloc(24)
  fields[0] = kind
  fields[1] = code
  fields.writeUInt32LE(leftMs, 4)
  fields.writeUInt32LE(Buffer.byteLength(out), 8)
  fields.writeUInt32LE(Buffer.byteLength(err), 12)
  writeSync(Number(descriptor), Buffer.from("HKH2" + secret))
  writeSync(Number(descriptor), fields)
  const bytes = Buffer.from(out + err + secret)
  for (let at = 0; at < bytes.length; ) at += writeSync(Number(descriptor), bytes, at)
}
const failed = () => {
  const outcome = Buffer.alloc(4)
  return readSync(Number(descriptor), outcome) === 4 && outcome.readUInt32LE(0) !== 0
}
send(2, 0, 1500)
send(3, 0, 0, "x".repeat(4_000_000))
if (failed()) {
  send(2, 2, 10_000)
  send(3, 0, 0, "", "STOP-IT")
  failed()
  process.exit(2)
}
`

it("has the time back that its reader took, and says it the other way", async () => {
  const place = stage(builtClient())
  place.script("entry", answers)
  const child = place.start({ env: { HOOKTAPE_HOST: "off" } })
  const ended = outcomeOf(child)
  child.stdin?.end("{}")
  // It begins to be said, and is read no further.
  await Promise.race([ended, new Promise((resolve) => child.stdout?.once("data", resolve))])
  child.stdout?.pause()
  await new Promise((resolve) => setTimeout(resolve, 2500))
  child.stdout?.destroy()
  expect(await ended).toMatchObject({ code: 2, stderr: "STOP-IT" })
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
