/** A client that is started with less than agents give: signals held back, no room for files. It answers all the same. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { bash, type Fired, outcomeOf, type Station } from "../../support/entrypoint.ts"
import { endPlaces, furnished, until } from "../../support/fire/place.ts"
import { equip } from "../../support/host.ts"

afterEach(endPlaces)

const decides = `import { blockingFeedback, defineHook } from "hooktape"
export default defineHook({ name: "decides", on: "tool.before", when: { command: /push/ }, run: () => blockingFeedback("DECIDED") })
`

const fired = (place: Station, command: string, before: readonly string[]): Promise<Fired> => {
  const hook = join(place.state, "bin", "hook")
  const [program = hook, ...words] = [...before, hook, "claude-code", "PreToolUse"]
  const env = { ...place.env, HOOKTAPE_HOST: "off" }
  const child = spawn(program, words, { cwd: place.project, env })
  child.stdin.end(bash(command))
  return outcomeOf(child)
}

const holdsBack = ["env", "--block-signal=CHLD"]
const canHoldBack = spawnSync("env", ["--block-signal=CHLD", "true"]).status === 0

describe.skipIf(!existsSync(shippedClient()))("the client", () => {
  it.skipIf(!canHoldBack)(
    "hears that its child has ended though whoever started it holds that back",
    async () => {
      const place = await furnished({ hooks: { decides }, deadlineMs: 4000 })
      expect((await fired(place, "git push", holdsBack)).stdout).toContain("DECIDED")
      expect(await fired(place, "ls", holdsBack)).toMatchObject({ code: 0, stdout: "" })
    }
  )

  it("starts no host that could open hardly any file, and gives one the room that it may have", async () => {
    const place = await furnished({ hooks: { decides }, deadlineMs: 4000 })
    await equip(place)
    const started = (limits: string) =>
      spawnSync("/bin/sh", ["-c", `${limits}; exec "$0"`, join(place.state, "bin", "host")], {
        env: place.env,
        encoding: "utf8",
        timeout: 20_000
      })
    expect(started("ulimit -Sn 100; ulimit -Hn 100").status).toBe(1)
    const host = spawn("/bin/sh", ["-c", 'ulimit -Sn 100; exec "$0"', join(place.state, "bin", "host")], {
      env: place.env,
      stdio: "ignore"
    })
    const ended = once(host, "exit")
    await until(() => existsSync(join(place.state, "run", "host.sock")))
    const limits = existsSync("/proc/self/limits")
      ? readFileSync(`/proc/${host.pid}/limits`, "utf8")
      : "Max open files 4096"
    expect(Number(/Max open files\s+(\d+)/.exec(limits)?.[1])).toBeGreaterThan(100)
    host.kill("SIGTERM")
    await ended
  })
})
