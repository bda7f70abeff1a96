/**
 * What a collector takes in and works out on this machine, with its PostgreSQL beside it: `npm run bench -- collector`.
 * Facts are of about the size that hooks make; the database keeps its promises to the disk, as a test's does not.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { EventLog } from "../../src/log/EventLog.ts"
import { layerSqlite } from "../../src/log/sqlite/SqliteLog.ts"
import { lagOf, runFolds } from "../../src/tools/collector/collector.ts"
import { connect } from "../../src/tools/collector/database/connect.ts"
import { ship } from "../../src/tools/shipping/ship.ts"
import { draftOf } from "../support/log/drafts.ts"
import { batchOf, event, startCollector } from "../support/postgres/collector.ts"
import { startCollect } from "../support/postgres/processes.ts"

const facts = Number(process.env["HOOKTAPE_TEST_FACTS"] ?? 120_000)
const installations = 16

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const collector = await startCollector(
  { atOnce: 8, waiting: 64 },
  { isDurable: process.env["HOOKTAPE_TEST_DURABLE"] !== "off" }
)
const spent = async (
  work: () => Promise<unknown>
): Promise<{ readonly took: number; readonly cpu: number }> => {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return { took: (performance.now() - began) / 1000, cpu: system + user }
}

/** `cpu`: microseconds of this process; PostgreSQL's are its own. A busy machine changes the first number, not the second. */
const figures = (count: number, { cpu, took }: { readonly took: number; readonly cpu: number }): string =>
  `${Math.round(count / took).toLocaleString("en")} facts/s, ${(cpu / count).toFixed(1)} µs of CPU for each, of ${count}`

/** Of each call one fact tells what its payload told. */
const payload = {
  type: "hooktape.payload_buffered",
  data: {
    bytes: 900,
    digest: "0123456789abcdef".repeat(4),
    findings: {
      about: "0123456789ab",
      moments: [
        {
          ...{
            kind: "call-ended",
            use: "toolu_0123456789",
            name: "Bash",
            tool: "shell",
            told: "ok",
            verdict: "pass"
          },
          checks: [{ purpose: "tests", folder: "/0123456789ab", program: "0123456789ab", targets: [] }]
        }
      ]
    }
  }
}

/** Made before, so that only what a collector does is measured. */
const bodies = (name: string, size: number, total: number) =>
  Array.from({ length: Math.ceil(total / size) }, (_, nth) => {
    const after = nth * size
    const events = Array.from({ length: size }, (_, at) =>
      event(after + at + 1, {
        id: `0198c0de-0000-7000-8000-${String(after + at).padStart(12, "0")}`,
        subject: `invocation/0198c0de-1111-7000-8000-${String((after + at) >> 3).padStart(12, "0")}`,
        session: `${name}-${((after + at) >> 6) % 20}`,
        agent: "claude-code",
        agentevent: "PreToolUse",
        project: "0123456789abcdef0123456789abcdef",
        ...((after + at) % 8 === 0 ? payload : {})
      })
    )
    const afterId = after === 0 ? null : `0198c0de-0000-7000-8000-${String(after - 1).padStart(12, "0")}`
    return gzipSync(JSON.stringify(batchOf(after, [after + size], { afterId, facts: events })))
  })

const ingest = async (size: number, total: number): Promise<void> => {
  const each = Math.ceil(total / installations / size) * size
  const clients = await Promise.all(
    Array.from({ length: installations }, async (_, nth) => {
      const name = `bench-${size}-${nth}`
      return { token: await collector.token(name), batches: bodies(name, size, each) }
    })
  )
  const cost = await spent(() =>
    Promise.all(
      clients.map(async ({ batches, token }) => {
        for (const body of batches) {
          const headers = { authorization: `Bearer ${token}`, "content-encoding": "gzip" }
          const answer = await fetch(collector.url, { method: "POST", headers, body })
          if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
          await answer.arrayBuffer()
        }
      })
    )
  )
  say(`ingest, batches of ${size}, sender and door: ${figures(each * installations, cost)}`)
}

const owner = Redacted.make(collector.postgres.url("runner"))

const folded = async (): Promise<void> => {
  const isBehind = Effect.map(lagOf(owner), (lags) => lags.some(({ behind }) => behind > 0))
  const cost = await spent(() =>
    Effect.runPromise(
      Effect.gen(function* () {
        const running = yield* Effect.fork(runFolds(owner, { note: () => Effect.void }))
        yield* Effect.repeat(isBehind, { schedule: Schedule.spaced("50 millis"), while: (is) => is })
        yield* Fiber.interrupt(running)
      })
    )
  )
  const sizes = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ facts: string; bytes: string }>`SELECT count(*) AS facts,
      (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'hooktape.fact'::regclass) AS bytes
      FROM hooktape.fact`
  )
  const [row] = await Effect.runPromise(
    Effect.provide(
      sizes,
      connect(Redacted.make(collector.postgres.url()), { most: 1, statementMs: 60_000, name: "bench" })
    )
  )
  const count = Number(row?.facts)
  say(`all folds, one process: ${figures(count, cost)}`)
  say(`disk: ${Math.round(Number(row?.bytes) / count)} bytes for a fact, with its indexes`)
}

/** Until nothing waits for any fold, milliseconds. */
const untilFolded = async (): Promise<number> => {
  const began = performance.now()
  while ((await Effect.runPromise(lagOf(owner))).some(({ behind }) => behind > 0))
    await new Promise((done) => setTimeout(done, 20))
  return performance.now() - began
}

/** One of two owners is killed amid its work: how soon the other one has done all there is. */
const takenOver = async (): Promise<void> => {
  const url = collector.postgres.url("runner")
  const [first, second] = [await startCollect(url, "run"), await startCollect(url, "run")]
  try {
    const token = await collector.token("bench-killed")
    const send = async (body: Buffer): Promise<void> => {
      const headers = { authorization: `Bearer ${token}`, "content-encoding": "gzip" }
      await (await fetch(collector.url, { method: "POST", headers, body })).arrayBuffer()
    }
    const [before, after] = bodies("bench-killed", 500, 1000)
    if (before === undefined || after === undefined) throw new Error("too few batches")
    await send(before)
    await first.kill("SIGKILL")
    await send(after)
    say(`take-over after kill -9: ${((await untilFolded()) / 1000).toFixed(1)} s until all was worked out`)
  } finally {
    await second.kill("SIGTERM")
  }
}

/** A laptop's own log, by its own shipper. */
const caughtUp = async (behind: number): Promise<void> => {
  const state = mkdtempSync(join(tmpdir(), "bench-laptop-"))
  const tokenFile = join(state, "token")
  writeFileSync(tokenFile, await collector.token("bench-laptop"), { mode: 0o600 })
  const sink = { name: "collector", to: collector.url, kind: "collector" as const, tokenFile, after: 0 }
  const head = () =>
    Number(
      collector.postgres.psql(
        "SELECT coalesce(max(head), 0) FROM hooktape.installation WHERE name = 'bench-laptop'"
      )
    )
  const cost = await Effect.gen(function* () {
    const log = yield* EventLog
    for (let at = 0; at < behind; at += 1000) {
      const stream = `invocation/bench-${at}`
      const [first, ...others] = Array.from({ length: 1000 }, () => draftOf(stream, { session: "s" }))
      if (first !== undefined) yield* log.append(stream, "any", [first, ...others])
    }
    return yield* Effect.promise(() =>
      spent(() =>
        Effect.runPromise(
          Effect.gen(function* () {
            const shipping = yield* Effect.fork(
              ship({
                ...{ log, sink, state, key: Buffer.alloc(32, 7) },
                untilQuiet: Effect.void,
                report: () => Effect.void
              })
            )
            yield* Effect.repeat(Effect.sync(head), {
              schedule: Schedule.spaced("200 millis"),
              while: (now) => now < behind
            })
            yield* Fiber.interrupt(shipping)
          })
        )
      )
    )
  }).pipe(
    Effect.provide(layerSqlite({ file: join(state, "log.sqlite"), source: "bench" })),
    Effect.runPromise
  )
  rmSync(state, { recursive: true, force: true })
  say(`a laptop ${behind} facts behind caught up in ${cost.took.toFixed(1)} s: ${figures(behind, cost)}`)
}

try {
  await ingest(500, facts)
  await ingest(12, facts / 4)
  await folded()
  await takenOver()
  await caughtUp(100_000)
} finally {
  await collector.close()
}
