/** Calls that their clients gave up: what the host finds of them later is recorded, and no handler acts a second time. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import { bash, dataOf } from "../../support/entrypoint.ts"
import { endPlaces, furnished, until } from "../../support/fire/place.ts"
import { answering, startHost } from "../../support/host.ts"

afterEach(endPlaces)

const acts = `import { appendFileSync } from "node:fs"
import { defineHook, modelContext } from "hooktape"
export default defineHook({ name: "acts", on: "tool.before", run: () => {
  appendFileSync(process.env["HOME"] + "/acted", "once\\n")
  return modelContext("ACTED")
} })
`

/** By the time it says that it holds, the host has said that it is at work. */
const holds = `import { existsSync, writeFileSync } from "node:fs"
import { defineHook, modelContext } from "hooktape"
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export default defineHook({ name: "holds", on: "tool.before", run: async () => {
  await later(1000)
  writeFileSync(process.env["HOME"] + "/held", "")
  while (!existsSync(process.env["HOME"] + "/go")) await later(10)
  return modelContext("HELD")
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

  it("that is stopped in the middle of a long call is not waited for much longer than one that never spoke", async () => {
    const place = await furnished({ hooks: { holds }, deadlineMs: 600_000 })
    const host = await startHost(place)
    const { pid } = await answering(place.state)
    const held = place.fire({ input: bash("ls") })
    await until(() => existsSync(join(place.home, "held")))
    process.kill(pid, "SIGSTOP")
    try {
      writeFileSync(join(place.home, "go"), "")
      expect(await held).toMatchObject({ code: 0, stdout: expect.stringContaining("HELD") })
    } finally {
      process.kill(pid, "SIGCONT")
    }
    await until(async () => (await place.runs()).filter(({ types }) => types.includes("EXITED")).length === 2)
    await host.stop()
    const transports = (await place.runs()).map((run) => dataOf(run, "INVOCATION_OPENED")[0]?.["transport"])
    expect(transports.toSorted()).toEqual(["entry", "socket"])
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
