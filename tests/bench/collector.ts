/**
 * What a collector takes in and works out on this machine, with its PostgreSQL beside it: `node .ci/run-ts.mjs tests/bench/collector.ts`.
 * Facts are of about the size that hooks make; the database keeps its promises to the disk, as a test's does not.
 */
import { gzipSync } from "node:zlib"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { lagOf, runFolds } from "../../src/tools/collector/collector.ts"
import { connect } from "../../src/tools/collector/database/connect.ts"
import { batchOf, event, startCollector } from "../support/postgres/collector.ts"

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
        project: "0123456789abcdef0123456789abcdef"
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
  say(`both folds, one process: ${figures(count, cost)}`)
  say(`disk: ${Math.round(Number(row?.bytes) / count)} bytes for a fact, with its indexes`)
}

try {
  await ingest(500, facts)
  await ingest(12, facts / 4)
  await folded()
} finally {
  await collector.close()
}
