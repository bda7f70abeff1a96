/** Clocks that jump: ahead, back, for a look or for days. What is young by the true time stays, and what is old still goes afterwards. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { EventLog } from "../../src/log/EventLog.ts"
import { layerSqlite } from "../../src/log/sqlite/SqliteLog.ts"
import { upkeep } from "../../src/log/upkeep.ts"
import { cli } from "../support/cli.ts"
import { bash, station } from "../support/entrypoint.ts"
import { mulberry } from "../support/fire/barrage.ts"
import { draftOf } from "../support/log/drafts.ts"
import { report, size } from "./size.ts"

const day = 86_400_000
const jumps = size("JUMPS", 40)
const seed = size("SEED", 20261124)

/** 8 to 400 days, ahead or back. */
const jumpOf = (random: () => number): number =>
  Math.round((8 + random() * 392) * (random() < 0.6 ? 1 : -1)) * day

const opened = Effect.flatMap(EventLog, (log) =>
  Effect.map(
    Stream.runCollect(log.read({ types: ["INVOCATION_OPENED"] })),
    (facts) => new Set([...facts].map(({ stream }) => stream))
  )
)

/** As a call at that time writes it. */
const invocation = (stream: string, at: number) =>
  Effect.flatMap(EventLog, (log) =>
    log.append(stream, "any", [
      draftOf(stream, { type: "INVOCATION_OPENED", at, data: { type: "INVOCATION_OPENED", pid: 1 } }),
      draftOf(stream, { at })
    ])
  )

it.effect(`${jumps} jumps within two years take nothing that is young`, () =>
  Effect.gen(function* () {
    const state = mkdtempSync(join(homedir(), "soak-clock-"))
    const random = mulberry(seed)
    const written = new Map<string, number>()
    const lost = new Set<string>()
    let truth = 20_000 * day
    let jumped = 0
    let inJump = 0
    let shift = 0
    yield* Effect.gen(function* () {
      while (jumped < jumps || inJump > 0) {
        truth += (0.5 + random()) * day
        if (inJump > 0) inJump--
        else if (random() < 0.15) {
          jumped++
          shift = jumpOf(random)
          // A clock that shows another time on three days is believed: that is no jump any more.
          inJump = Math.floor(random() * 2)
        } else shift = 0
        yield* TestClock.setTime(truth + shift)
        const stream = `invocation/${written.size}`
        yield* invocation(stream, truth + shift)
        written.set(stream, truth)
        yield* upkeep(state, "here")
        const there = yield* opened
        for (const [name, at] of written) if (truth - at < 89 * day && !there.has(name)) lost.add(name)
      }
      const before = (yield* opened).size
      // And then a true clock for as long as what is kept: the old goes, a tenth a day at most.
      for (let nth = 0; nth < 120; nth++) {
        truth += day
        yield* TestClock.setTime(truth)
        yield* upkeep(state, "here")
      }
      const left = (yield* opened).size
      report("clock", { jumps: jumped, seed, invocations: written.size, lost: lost.size, before, left })
      expect([...lost]).toEqual([])
      expect(left).toBeLessThan(before / 2)
    }).pipe(Effect.provide(layerSqlite({ file: join(state, "log.sqlite"), source: "here" })))
    rmSync(state, { recursive: true, force: true })
  })
)

it(`commands under ${jumps} wrong clocks leave the log as it was`, async () => {
  const place = await station()
  await place.build()
  for (let nth = 0; nth < 12; nth++) await place.fire({ input: bash("true", { tool_use_id: `call-${nth}` }) })
  const before = (await place.facts()).map(({ id }) => id)
  const random = mulberry(seed)
  const preload = join(import.meta.dirname, "..", "support", "shiftedClock.cjs")
  let failed = 0
  for (let nth = 0; nth < jumps; nth++) {
    const command = nth % 2 === 0 ? ["log", "--json"] : ["doctor"]
    const { stdout } = spawnSync(process.execPath, ["--require", preload, cli, ...command], {
      cwd: place.project,
      env: { ...place.env, HOOKTAPE_TEST_SHIFT_MS: String(jumpOf(random)) },
      encoding: "utf8"
    })
    if (stdout === "") failed++
  }
  const there = new Set((await place.facts()).map(({ id }) => id))
  const lost = before.filter((id) => !there.has(id))
  report("clock", { commands: jumps, seed, facts: before.length, lost: lost.length, saidNothing: failed })
  expect({ lost, failed }).toEqual({ lost: [], failed: 0 })
  expect(before.length).toBeGreaterThan(50)
})
