/** A running host sends what happens where its user wants it, and `doctor` says where it cannot. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
import type { Batch } from "../../../src/tools/shipping/Batch.ts"
import { writeSinks } from "../../../src/tools/shipping/Sink.ts"
import { readTrouble } from "../../../src/tools/shipping/trouble.ts"
import { command } from "../../support/command.ts"
import { bash, station } from "../../support/entrypoint.ts"
import { equip, type RunningHost, startHost } from "../../support/host.ts"
import { freePort } from "../../support/httpHost.ts"

const running = new Set<RunningHost>()
afterEach(async () => {
  for (const host of running) await host.stop("SIGKILL")
  running.clear()
})

const until = (holds: () => boolean): Promise<unknown> =>
  Effect.runPromise(
    Effect.repeat(Effect.sync(holds), { schedule: Schedule.spaced("20 millis"), until: (is) => is })
  )

describe.skipIf(!existsSync(shippedClient()))("a host", () => {
  it("ships a call of an agent, and says of each sink whether it is reached", {
    timeout: 60_000
  }, async () => {
    const place = await station()
    await place.build()
    await equip(place)
    const file = join(place.project, "events.ndjson")
    const port = await freePort()
    writeSinks(place.state, [
      { name: "audit", to: file, after: 0 },
      { name: "folder", to: place.project, after: 0 },
      {
        name: "collector",
        kind: "collector",
        to: `http://127.0.0.1:${await freePort()}/v1/facts`,
        tokenFile: file,
        after: 0
      },
      { name: "scraped", kind: "prometheus", to: `http://127.0.0.1:${port}`, after: 0 }
    ])
    writeFileSync(file, "")
    running.add(await startHost(place))
    // As many facts as a collector is sent at once: of fewer it would hear half a minute later.
    for (let nth = 0; nth < 12; nth++)
      expect(await place.fire({ input: bash("echo SECRET-OF-MINE") })).toMatchObject({ code: 0 })
    const shipped = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "")
    await until(() => shipped().includes("hooktape.exited"))
    for (const name of ["folder", "collector"])
      await until(() => readTrouble(place.state, name) !== undefined)
    expect(shipped()).toContain("hooktape.invocation_opened")
    expect(shipped()).not.toContain("SECRET-OF-MINE")
    const { checks } = JSON.parse((await command(place, "doctor", "--json")).stdout)
    expect(checks.filter(({ name }: { name: string }) => name === "ship")).toMatchObject([
      { status: "ok", message: expect.stringContaining("audit is sent what happens: ") },
      { status: "warn", message: expect.stringContaining("folder was not reached") },
      { status: "warn", message: expect.stringContaining("collector was not reached") },
      { status: "ok", message: expect.stringContaining("scraped is sent what happens: ") }
    ])
    const scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(scraped).toMatch(/^hooktape_sink_failing\{sink="collector"\} 1$/m)
    expect(scraped).toMatch(
      /^hooktape_call_duration_seconds_count\{[^}]*hooktape_event="tool.before"[^}]*\} 12$/m
    )
  })
  it("ships to a collector what payloads told, worked out in moments in which nobody waits, and no payload", {
    timeout: 60_000
  }, async () => {
    const place = await station()
    await place.build()
    await equip(place)
    const batches: Batch[] = []
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      const batch: Batch = JSON.parse(gunzipSync(Buffer.concat(parts)).toString())
      batches.push(batch)
      response.end(JSON.stringify({ head: batch.upto, parked: [] }))
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    try {
      const tokenFile = join(place.project, "token")
      writeFileSync(tokenFile, "0123456789abcdef\n", { mode: 0o600 })
      const { port } = server.address() as AddressInfo
      const to = `http://127.0.0.1:${port}/v1/facts`
      writeSinks(place.state, [{ name: "collector", kind: "collector", to, tokenFile, after: 0 }])
      running.add(await startHost(place))
      // As many facts as are worth a request.
      for (let nth = 0; nth < 12; nth++)
        expect(await place.fire({ input: bash(`npm test SECRET-${nth}`) })).toMatchObject({ code: 0 })
      const facts = () => batches.flatMap((batch) => batch.facts as readonly { type: string; data: object }[])
      await until(() => facts().some(({ data }) => "findings" in data))
      const told = facts().filter(({ type }) => type === "hooktape.payload_buffered")
      expect(told[0]?.data).toMatchObject({
        findings: {
          about: expect.stringMatching(/^[0-9a-f]{12}$/),
          moments: [{ kind: "call-started", name: "Bash" }]
        }
      })
      expect(told.every(({ data }) => "findings" in data)).toBe(true)
      expect(JSON.stringify(batches)).not.toContain("SECRET")
    } finally {
      server.close()
    }
  })
})
