/** A running host sends what happens where its user wants it, and `doctor` says where it cannot. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { afterEach, describe, expect, it } from "vitest"
import { shippedClient } from "../../../src/programs/cli/prepare.ts"
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
      /^hooktape_call_duration_seconds_count\{[^}]*hooktape_event="tool.before"[^}]*\} 1$/m
    )
  })
})
