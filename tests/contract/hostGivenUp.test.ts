/** Calls that their clients gave up: what the host finds of them later is recorded, and no handler acts a second time. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../src/cli/prepare.ts"
import { bash, dataOf } from "../support/entrypoint.ts"
import { endPlaces, furnished, until } from "../support/fire/place.ts"
import { answering, startHost } from "../support/host.ts"

afterEach(endPlaces)

const acts = `import { appendFileSync } from "node:fs"
import { defineHook, modelContext } from "hooktape"
export default defineHook({ name: "acts", on: "tool.before", run: () => {
  appendFileSync(process.env["HOME"] + "/acted", "once\\n")
  return modelContext("ACTED")
} })
`

describe.skipIf(!existsSync(shippedClient()))("a host", () => {
  it("that was stopped for longer than its clients wait runs no handler of their calls when it goes on", async () => {
    const place = await furnished({ hooks: { acts } })
    const host = await startHost(place)
    const { pid } = await answering(place.state)
    const acted = () => readFileSync(join(place.home, "acted"), "utf8").split("\n").length - 1
    await place.fire({ input: bash("ls") })
    process.kill(pid, "SIGSTOP")
    try {
      const fired = await Promise.all([1, 2, 3].map(() => place.fire({ input: bash("ls") })))
      for (const { code, stdout } of fired)
        expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("ACTED") })
    } finally {
      process.kill(pid, "SIGCONT")
    }
    expect(acted()).toBe(4)
    // The host has come to what waited in its socket, too.
    await until(async () => (await place.runs()).filter(({ types }) => types.includes("EXITED")).length === 7)
    await host.stop()
    expect(acted()).toBe(4)
    const late = (await place.runs()).filter((run) => dataOf(run, "HANDLER_SKIPPED").length > 0)
    expect(late).toHaveLength(3)
    for (const run of late) {
      expect(dataOf(run, "INVOCATION_OPENED")[0]).toMatchObject({ transport: "socket" })
      expect(dataOf(run, "HANDLER_SKIPPED")).toMatchObject([
        { handler: "acts", reason: "nobody waits for the answer any more" }
      ])
      expect(dataOf(run, "DELIVERY_FAILED")).toHaveLength(1)
    }
  })

  it.skipIf(!existsSync("/proc/self/fd"))("lets go of connections on which nothing was said", async () => {
    const place = await furnished({ hooks: { acts } })
    const host = await startHost(place)
    const { pid } = await answering(place.state)
    const sockets = () => readdirSync(`/proc/${pid}/fd`).length
    const before = sockets()
    const socket = join(place.state, "run", "host.sock")
    for (let nth = 0; nth < 50; nth++)
      await new Promise<void>((resolve, reject) => {
        const one = createConnection(socket, () => (nth % 2 ? one.end() : one.destroy()))
        one.on("error", reject)
        one.on("close", () => resolve())
      })
    await until(() => sockets() <= before + 5)
    await host.stop()
  })
})
