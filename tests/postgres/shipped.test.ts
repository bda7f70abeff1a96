/** From the log of a machine into the collector's database: all that may be shipped, once, through outages and logs that are put back. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { FactId } from "../../events/ids.ts"
import { noMarks } from "../../events/Recorded.ts"
import { EventLog, type EventLogShape } from "../../src/log/EventLog.ts"
import { layerMemory } from "../../src/log/MemoryLog.ts"
import { redactDraft } from "../../src/redact/redact.ts"
import { readEpoch } from "../../src/tools/shipping/epoch.ts"
import { ship } from "../../src/tools/shipping/ship.ts"
import { type Collector, startCollector } from "../support/postgres/collector.ts"

const root = mkdtempSync(join(tmpdir(), "shipped-"))
let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
})
afterAll(async () => {
  await collector?.close()
  rmSync(root, { recursive: true, force: true })
})

/** Every other fact is one of which nothing is shipped. */
const append = (log: EventLogShape, from: number, to: number, mark = "fact") =>
  Effect.forEach(
    Array.from({ length: to - from + 1 }, (_, at) => from + at),
    (at) => {
      const data =
        at % 2 === 0
          ? { type: "EXITED" as const, code: 0, ms: { handling: 3 } }
          : { type: "NOISE_CAPTURED" as const, stream: "stdout" as const, bytes: 6, text: "SECRET" }
      const draft = {
        ...noMarks,
        project: "/home/somebody/site",
        session: `s${at % 3}`,
        id: `${mark}-${at}` as FactId,
        stream: `invocation/${mark}-${at}`,
        type: data.type,
        schemaVersion: 1,
        at,
        cause: null,
        data
      }
      return log.append(draft.stream, "any", [redactDraft(draft)])
    },
    { discard: true }
  )

const inDatabase = (name: string): string =>
  collector.postgres.psql(
    `SELECT count(*) || ' ' || coalesce(sum(f.position), 0) FROM hooktape.fact f
      JOIN hooktape.installation i ON i.id = f.installation WHERE i.name = '${name}'`
  )

const until = (holds: () => boolean) =>
  Effect.repeat(Effect.sync(holds), { schedule: Schedule.spaced("20 millis"), until: (is) => is })

const equipped = async (name: string) => {
  const state = mkdtempSync(join(root, "state-"))
  const tokenFile = join(state, "token")
  writeFileSync(tokenFile, `${await collector.token(name)}\n`)
  const reports: string[] = []
  const sink = { name: "collector", to: collector.url, kind: "collector" as const, tokenFile, after: 0 }
  const shippingOf = (log: EventLogShape) => ({
    log,
    sink,
    key: Buffer.alloc(32, 7),
    state,
    untilQuiet: Effect.void,
    report: (error: string | undefined) => Effect.sync(() => void reports.push(error ?? "well")),
    lookMs: 1,
    firstPauseMs: 1,
    timeoutMs: 10_000
  })
  return { state, reports, shippingOf }
}

/** Ships until `work`, which runs beside it, is done. */
const shippingWhile = (shipping: Parameters<typeof ship>[0], work: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(ship(shipping))
    yield* work
    yield* Fiber.interrupt(fiber)
  })

const onLog = (work: (log: EventLogShape) => Effect.Effect<unknown, unknown>) =>
  Effect.runPromise(Effect.flatMap(EventLog, work).pipe(Effect.provide(layerMemory("test"))))

const evenSum = (to: number): string => {
  const half = Math.floor(to / 2)
  return `${half} ${half * (half + 1)}`
}

describe("what a machine ships to a collector", () => {
  it("arrives once, without payloads, though the database goes away meanwhile", async () => {
    const { reports, shippingOf } = await equipped("outage")
    await onLog((log) =>
      Effect.gen(function* () {
        yield* append(log, 1, 400)
        yield* shippingWhile(
          shippingOf(log),
          until(() => inDatabase("outage") === evenSum(400))
        )
        collector.postgres.stop("immediate")
        yield* append(log, 401, 800)
        yield* shippingWhile(
          shippingOf(log),
          Effect.gen(function* () {
            yield* until(() => reports.some((one) => one.includes("503")))
            collector.postgres.start()
            yield* until(() => reports.includes("well"))
          })
        )
        expect(inDatabase("outage")).toBe(evenSum(800))
      })
    )
    expect(
      collector.postgres.psql("SELECT count(*) FROM hooktape.fact f WHERE f::text LIKE '%SECRET%'")
    ).toBe("0")
    expect(
      collector.postgres.psql("SELECT count(*) FROM hooktape.fact f WHERE f::text LIKE '%somebody%'")
    ).toBe("0")
  })

  it("waits for a batch that is worth a request", async () => {
    const { shippingOf } = await equipped("patient")
    await onLog((log) =>
      Effect.gen(function* () {
        yield* append(log, 1, 118)
        let looks = 0
        const watched = {
          ...log,
          read: (...filter: Parameters<typeof log.read>) => {
            looks++
            return log.read(...filter)
          }
        }
        yield* shippingWhile(
          shippingOf(watched),
          until(() => looks > 5)
        )
        expect(inDatabase("patient")).toBe("0 0")
        yield* append(log, 119, 120)
        yield* shippingWhile(
          shippingOf(log),
          until(() => inDatabase("patient") === evenSum(120))
        )
      })
    )
  })

  it("goes on in an epoch of its own when its log was put back", async () => {
    const { shippingOf, state } = await equipped("restored")
    await onLog((log) =>
      Effect.gen(function* () {
        yield* append(log, 1, 240)
        yield* shippingWhile(
          shippingOf(log),
          until(() => inDatabase("restored") === evenSum(240))
        )
      })
    )
    await onLog((log) =>
      Effect.gen(function* () {
        yield* append(log, 1, 120)
        yield* append(log, 121, 260, "other")
        yield* log.setCheckpoint("ship/collector", 120)
        yield* shippingWhile(
          shippingOf(log),
          until(() => readEpoch(state, "collector") === 2 && inDatabase("restored").startsWith("190 "))
        )
      })
    )
    const epochs = `SELECT string_agg(n || ' from ' || first, ', ' ORDER BY epoch) FROM
      (SELECT i.epoch, count(*) n, min(f.id) first FROM hooktape.fact f JOIN hooktape.installation i
        ON i.id = f.installation WHERE i.name = 'restored' GROUP BY 1) e`
    expect(collector.postgres.psql(epochs)).toBe("120 from fact-10, 70 from other-122")
  })

  it("is handed over once more to a collector that was put back", async () => {
    const { shippingOf } = await equipped("lost")
    await onLog((log) =>
      Effect.gen(function* () {
        yield* append(log, 1, 240)
        yield* shippingWhile(
          shippingOf(log),
          until(() => inDatabase("lost") === evenSum(240))
        )
        collector.postgres.psql(`UPDATE hooktape.installation SET head = 120, head_id = 'fact-120' WHERE name = 'lost';
          DELETE FROM hooktape.fact f USING hooktape.installation i
            WHERE i.id = f.installation AND i.name = 'lost' AND f.position > 120`)
        yield* append(log, 241, 400)
        yield* shippingWhile(
          shippingOf(log),
          until(() => inDatabase("lost") === evenSum(400))
        )
      })
    )
  })
})
