/** Jobs on a log in a file: several queues at once, and processes that are killed in the middle of their work. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { build } from "esbuild"
import type { JobFact } from "../../../events/facts.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { job as machine } from "../../../machines/job.ts"
import { frames, replay, stateOf } from "../../../machines/step.ts"
import { makeQueue, type QueueOptions } from "../../../src/jobs/queue.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerSqlite } from "../../../src/log/sqlite/SqliteLog.ts"
import * as fact from "../../support/jobs/facts.ts"
import { append, boom, put, scripted } from "../../support/jobs/world.ts"

let root: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "jobs-"))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fresh = () => join(root, `state-${count++}`, "log.sqlite")
const open = (file: string, source = "here") => layerSqlite({ file, source, pollMs: 5 })

const byStream = Effect.gen(function* () {
  const log = yield* EventLog
  const streams = new Map<string, Recorded[]>()
  yield* Stream.runForEach(log.read({ streamPrefix: "job/" }), (one) =>
    Effect.sync(() => void streams.set(one.stream, [...(streams.get(one.stream) ?? []), one]))
  )
  return streams
})

const factsIn = (recorded: readonly Recorded[]) => recorded.map(({ data }) => data as JobFact)

describe("several queues on one log", () => {
  const alive: Omit<QueueOptions, "runners"> = { isAlive: () => true, concurrency: 3 }

  it.live(
    "do 200 jobs once each between them, within the limits of all and of each key",
    () =>
      Effect.gen(function* () {
        const file = fresh()
        const jobs: string[] = []
        // What both run is counted together: a key has one place, whoever holds it.
        const together = scripted(({ attempt, enqueued }) =>
          Effect.gen(function* () {
            for (let n = 0; n < 3; n++) yield* Effect.sleep(0)
            return enqueued.input === "bad" && attempt === 1 ? yield* Effect.fail(boom()) : {}
          })
        )
        const each = [scripted(together.run), scripted(together.run)]
        const queueOf = (n: number) =>
          Effect.gen(function* () {
            const run = each[n]?.run
            if (!run) return
            const queue = yield* makeQueue({ runners: { test: run }, ...alive, backOff: { baseMs: 1 } })
            yield* queue.idle
          }).pipe(Effect.scoped, Effect.provide(open(file, `queue-${n}`)))
        yield* Effect.gen(function* () {
          const enqueue = (from: number, to: number) =>
            Effect.gen(function* () {
              for (let n = from; n < to; n++)
                jobs.push(
                  yield* put({
                    input: n % 7 === 0 ? "bad" : n,
                    ...(n % 4 === 3 ? {} : { key: `k${n % 11}` })
                  })
                )
            })
          yield* enqueue(0, 100)
          yield* Effect.all([queueOf(0), queueOf(1), enqueue(100, 200)], { concurrency: "unbounded" })
          // Whoever was done before the last was enqueued is not needed for it.
          yield* queueOf(0)
          const streams = yield* byStream
          expect(streams.size).toBe(200)
          for (const recorded of streams.values()) {
            const facts = factsIn(recorded)
            expect(frames(machine, facts).filter(({ refused }) => refused)).toEqual([])
            expect(stateOf(replay(machine, facts))).toBe("done")
            expect(facts.filter(({ type }) => type === "JOB_SUCCEEDED")).toHaveLength(1)
          }
        }).pipe(Effect.provide(open(file)))
        expect([...together.succeeded].sort()).toEqual([...jobs].sort())
        for (const [name, most] of together.most) if (name !== "all") expect([name, most]).toEqual([name, 1])
        expect(together.most.get("all")).toBeLessThanOrEqual(6)
        for (const { asked, most } of each) {
          expect(asked.length).toBeGreaterThan(10)
          expect(most.get("all")).toBeLessThanOrEqual(3)
        }
      }),
    120_000
  )

  it.live(
    "take what a dead one left once between them",
    () =>
      Effect.gen(function* () {
        const file = fresh()
        const runner = scripted()
        yield* Effect.gen(function* () {
          for (let n = 0; n < 30; n++)
            yield* append(yield* put(), fact.started(1, { host: "dead", pid: 1, until: 0 }))
          const queue = (n: number) =>
            Effect.flatMap(
              makeQueue({ runners: { test: runner.run }, ...alive, backOff: { baseMs: 1 } }),
              ({ idle }) => idle
            ).pipe(Effect.scoped, Effect.provide(open(file, `queue-${n}`)))
          yield* Effect.all([queue(0), queue(1)], { concurrency: "unbounded" })
          for (const recorded of (yield* byStream).values()) {
            expect(factsIn(recorded).map(({ type }) => type)).toEqual([
              "JOB_ENQUEUED",
              "JOB_STARTED",
              "JOB_FAILED",
              "JOB_STARTED",
              "JOB_SUCCEEDED"
            ])
          }
          expect(runner.succeeded).toHaveLength(30)
        }).pipe(Effect.provide(open(file)))
      }),
    120_000
  )
})

describe("a queue whose process is killed", () => {
  it.live(
    "leaves its jobs to the next one, which does each of them",
    () =>
      Effect.gen(function* () {
        const file = fresh()
        const script = join(root, "worker.cjs")
        yield* Effect.promise(() =>
          build({
            entryPoints: [join(import.meta.dirname, "../../support/jobs/worker.ts")],
            bundle: true,
            platform: "node",
            format: "cjs",
            outfile: script,
            external: ["better-sqlite3"],
            logLevel: "error"
          })
        )
        yield* Effect.gen(function* () {
          const log = yield* EventLog
          for (let n = 0; n < 24; n++) yield* put({ input: n % 4 === 3 ? "hang" : "quick" })
          const NODE_PATH = join(import.meta.dirname, "../../../node_modules")
          const child = spawn(process.execPath, [script, file], {
            env: { ...process.env, NODE_PATH },
            stdio: ["ignore", "ignore", "inherit"]
          })
          const ended = new Promise<unknown>((resolve) => child.once("exit", (_, signal) => resolve(signal)))
          // Four places, and every fourth job keeps its own.
          const open = new Set<string>()
          yield* Stream.runForEachWhile(log.follow(0, { types: ["JOB_STARTED", "JOB_SUCCEEDED"] }), (one) =>
            Effect.sync(() => {
              if (one.type === "JOB_STARTED") open.add(one.stream)
              else open.delete(one.stream)
              const done = [...open].length === 4 && one.type === "JOB_STARTED"
              return !done
            })
          )
          child.kill("SIGKILL")
          expect(yield* Effect.promise(() => ended)).toBe("SIGKILL")
          const before = yield* byStream
          const runner = scripted()
          const queue = yield* makeQueue({ runners: { test: runner.run }, backOff: { baseMs: 1 } })
          yield* queue.idle
          const types = [...(yield* byStream)].map(([stream, recorded]) => {
            expect(before.get(stream)?.length).toBeLessThanOrEqual(recorded.length)
            return factsIn(recorded).map(({ type }) => type.replace("JOB_", ""))
          })
          const plain = ["ENQUEUED", "STARTED", "SUCCEEDED"]
          const again = ["ENQUEUED", "STARTED", "FAILED", "STARTED", "SUCCEEDED"]
          for (const of of types) expect([plain, again]).toContainEqual(of)
          expect(types.filter((of) => of.length === again.length).length).toBeGreaterThan(0)
        }).pipe(Effect.scoped, Effect.provide(open(file)))
      }),
    120_000
  )
})
