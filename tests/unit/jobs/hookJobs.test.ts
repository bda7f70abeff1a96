/** Background hooks from the reply to their result: what they see, what becomes of what they want, and when they begin. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Micro from "effect/Micro"
import * as TestClock from "effect/TestClock"
import type { InvocationFact } from "../../../events/facts.ts"
import type { InvocationId, Sources } from "../../../events/ids.ts"
import {
  blockingFeedback,
  diagnostic,
  exitSignal,
  type JsonObject,
  modelContext,
  userHint
} from "../../../events/intents.ts"
import type { Draft } from "../../../events/Recorded.ts"
import type { Registered } from "../../../src/hooks/Registered.ts"
import { makeHookRunner, type RunBackground } from "../../../src/jobs/hookJobs.ts"
import { type PutBy, passedOn } from "../../../src/jobs/passedOn.ts"
import { makeQueue } from "../../../src/jobs/queue.ts"
import { JobError } from "../../../src/jobs/Runner.ts"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import { redactDraft } from "../../../src/redact/redact.ts"
import { monotonic } from "../../../src/runtime/elapsed.ts"
import { jobsOf } from "../../../src/runtime/enqueue.ts"
import { makeHandling } from "../../../src/runtime/handling.ts"
import { noNoise } from "../../../src/runtime/noise.ts"
import { makeRecorder } from "../../../src/runtime/recorder.ts"
import { factsOf, put } from "../../support/jobs/world.ts"
import { plainAdapter, registered, tell } from "../../support/world.ts"

let count = 0
const sources: Sources = {
  now: () => 0,
  random: (bytes) => Uint8Array.from({ length: bytes }, (_, at) => (at === 0 ? count++ : at))
}

const id = "01890000-0000-7000-8000-000000000000" as InvocationId

/** Puts an invocation on the log as whoever answers would, its jobs beside its plan. Says which jobs. */
const recordAll = Effect.fnUntraced(function* (facts: readonly InvocationFact[]) {
  const log = yield* EventLog
  const dress = makeRecorder(sources, id, { agent: "raw", agentEvent: "Fired", project: "/project" })
  const jobs: string[] = []
  for (const fact of facts) {
    const draft = dress(fact)
    for (const one of [draft, ...jobsOf(draft)]) {
      if (one !== draft) jobs.push(one.stream.slice("job/".length))
      yield* log.append(one.stream, "any", [redactDraft<Draft["data"]>(one)])
    }
  }
  return jobs
})

const invoke = (registry: readonly Registered[], payload: JsonObject = {}) =>
  Effect.promise(() => tell({ registry, payload, invocation: id }))

/** Runs a handler in this thread, as a host does in another. */
const inProcess =
  (registry: readonly Registered[]): RunBackground =>
  ({ attempt, background, buffered, metadata, openedAt, opened, planned }) =>
    Effect.promise(async () => {
      const began = monotonic()
      const handling = makeHandling({
        invocation: opened.invocation,
        adapter: plainAdapter,
        agentEvent: opened.agentEvent,
        cwd: opened.cwd,
        project: opened.project,
        timestamp: new Date(openedAt).toISOString(),
        deadlineMs: planned.deadlineMs,
        registry,
        notices: [],
        noise: noNoise,
        isolation: { attribute: (_, work) => work(), release: () => {} },
        elapsed: () => monotonic() - began
      })
      const payload = JSON.parse(buffered.payload) as JsonObject
      handling.take({ text: buffered.payload, decoded: plainAdapter.decode(opened.agentEvent, payload) })
      handling.resume(background)
      return Micro.runPromise(handling.interpret({ type: "RUN_HANDLER", planned, attempt, metadata }))
    }).pipe(
      Effect.flatMap((facts) => {
        const ended = facts.at(-1)
        if (ended?.type === "HANDLER_SUCCEEDED") return Effect.succeed({ intents: ended.intents })
        const error = ended?.type === "HANDLER_FAILED" ? ended.error : { name: "TimedOut", message: "late" }
        return Effect.fail(new JobError({ error }))
      })
    )

const queueOf = (run: RunBackground, putBy: PutBy = () => []) =>
  Effect.flatMap(makeHookRunner(run, putBy), (hook) =>
    makeQueue({ runners: { hook }, backOff: { baseMs: 0 } })
  )

const test = (title: string, run: () => Effect.Effect<void, unknown, EventLog>) =>
  it.effect(title, () => Effect.provide(run(), layerMemory()))

describe("a background hook", () => {
  test("sees what every other hook sees, with the patches of those before the reply", () =>
    Effect.gen(function* () {
      const seen: unknown[] = []
      const registry = registered({
        patches: () => ({ metadata: { patched: 1 } }),
        late: {
          background: true,
          run: ({ agentEvent, event, invocation, metadata, payload, project, session }) => {
            seen.push({ agentEvent, event, invocation, metadata, payload, project, session })
          }
        }
      })
      const { log, types } = yield* invoke(registry, { session: "s", n: 1 })
      expect(types.filter((type) => type === "HANDLER_STARTED")).toHaveLength(1)
      const [job = ""] = yield* recordAll(log)
      const queue = yield* queueOf(inProcess(registry))
      yield* queue.idle
      expect(seen).toEqual([
        {
          agentEvent: "Fired",
          event: "agent.Fired",
          invocation: id,
          metadata: { patched: 1 },
          payload: { session: "s", n: 1 },
          project: "/project",
          session: "s"
        }
      ])
      expect((yield* factsOf(job)).at(-1)).toMatchObject({
        type: "JOB_SUCCEEDED",
        result: { intents: [], channels: [] }
      })
    }).pipe(Effect.scoped))

  test("that is there for several events of one invocation sees one of them in each of its jobs", () =>
    Effect.gen(function* () {
      const seen: unknown[] = []
      const registry = registered({
        late: {
          background: true,
          on: ["file.edited"],
          run: (context) => void seen.push((context as { path?: string }).path)
        }
      })
      const events = ["a.ts", "b.ts"].map((path) => ({ event: "file.edited", data: { path } }))
      const { log } = yield* invoke(registry, { events } as JsonObject)
      expect(yield* recordAll(log)).toHaveLength(2)
      const queue = yield* queueOf(inProcess(registry))
      yield* queue.idle
      expect(seen).toEqual(["a.ts", "b.ts"])
    }).pipe(Effect.scoped))

  test("can reach neither the model nor the human nor the exit code: what it wanted is kept and said to be undeliverable", () =>
    Effect.gen(function* () {
      const intents = [
        blockingFeedback("stop"),
        modelContext("read"),
        userHint("look"),
        exitSignal(2),
        diagnostic("info", "learnt")
      ]
      const registry = registered({ late: { background: true, run: () => intents } })
      const { delivered, log } = yield* invoke(registry)
      expect(delivered).toMatchObject([{ stdout: "", stderr: "", exitCode: 0 }])
      const [job = ""] = yield* recordAll(log)
      const queue = yield* queueOf(inProcess(registry))
      yield* queue.idle
      const reason = "the reply was out when this hook ran"
      const channels = [
        ...["BLOCKING_FEEDBACK", "MODEL_CONTEXT", "USER_HINT", "EXIT_SIGNAL"].map((intent) => ({
          intent,
          handler: "late",
          channel: "undeliverable",
          reason
        })),
        { intent: "DIAGNOSTIC", handler: "late", channel: "log" }
      ]
      expect((yield* factsOf(job)).at(-1)).toMatchObject({ result: { intents, channels } })
    }).pipe(Effect.scoped))

  test("that is heard at the next event has what it says put by: words of any intent, and no decision", () =>
    Effect.gen(function* () {
      const key = `AKIA${"QWERTYUIOPASDFGH"}`
      const intents = [
        blockingFeedback("tests fail"),
        modelContext({ text: `read ${key}`, permission: "allow" }),
        modelContext({ permission: "allow" }),
        userHint("look"),
        exitSignal(2),
        diagnostic("info", "learnt")
      ]
      const deliver = { to: "next", within: "5 minutes", keep: "newest" } as const
      const registry = registered({ late: { background: true, deliver, run: () => intents } })
      const put: unknown[] = []
      const said = (payload: JsonObject) =>
        Effect.gen(function* () {
          const { log } = yield* invoke(registry, payload)
          const [job = ""] = yield* recordAll(log)
          const queue = yield* queueOf(inProcess(registry), (waiting, how) => {
            put.push({ ...waiting, ...how })
            return ["another"]
          })
          yield* queue.idle
          return [job, (yield* factsOf(job)).at(-1)] as const
        })
      const [job, done] = yield* said({ session: "s" })
      const next = { handler: "late", channel: "the session's next event" }
      const no = { handler: "late", channel: "undeliverable" }
      expect(done).toMatchObject({
        result: {
          channels: [
            { intent: "BLOCKING_FEEDBACK", ...next },
            { intent: "MODEL_CONTEXT", ...next },
            { intent: "MODEL_CONTEXT", ...no },
            { intent: "USER_HINT", ...next },
            { intent: "EXIT_SIGNAL", ...no },
            { intent: "DIAGNOSTIC", channel: "log" }
          ],
          replaced: ["another"]
        }
      })
      expect(put).toEqual([
        {
          session: "s",
          invocation: id,
          job,
          handler: "late",
          event: "agent.Fired",
          at: 0,
          until: 300_000,
          withinMs: 300_000,
          keep: "newest",
          intents: [
            modelContext("tests fail"),
            modelContext("read ‹redacted:aws-access-key›"),
            userHint("look")
          ]
        }
      ])
    }).pipe(Effect.scoped))

  it.effect("says no more at the next event than one reply has room for, and that is told of the rest", () =>
    Effect.gen(function* () {
      const long = modelContext("x".repeat(5000))
      const deliver = { withinMs: 1000, keep: "all" } as const
      const speaking = {
        handler: "late",
        event: "file.edited",
        deliver,
        invocation: id,
        session: "s",
        job: id
      }
      const { channels } = yield* passedOn(speaking, [long, long, userHint("short")], () => [])
      expect(channels).toMatchObject([
        { channel: "the session's next event" },
        { channel: "the session's next event" },
        { channel: "undeliverable", reason: "a job says at most 8000 characters at the next event" }
      ])
    })
  )

  it.effect("is tried again where what it says cannot be kept", () =>
    Effect.gen(function* () {
      const deliver = { withinMs: 1000, keep: "all" } as const
      const speaking = {
        handler: "late",
        event: "file.edited",
        deliver,
        invocation: id,
        session: "s",
        job: id
      }
      const full = (): never => {
        throw new Error("no space left")
      }
      const failed = yield* Effect.flip(passedOn(speaking, [modelContext("read")], full))
      expect(failed.error.message).toBe("cannot be kept for the next event: no space left")
      expect(failed.final).not.toBe(true)
    })
  )

  test("is heard by nobody where the agent names no session, or where it says nothing", () =>
    Effect.gen(function* () {
      const registry = registered({
        late: { background: true, deliver: "next", run: () => modelContext("read") },
        silent: { background: true, deliver: "next", run: () => diagnostic("info", "learnt") }
      })
      const { log } = yield* invoke(registry, {})
      const [late = "", silent = ""] = yield* recordAll(log)
      const put: unknown[] = []
      const queue = yield* queueOf(inProcess(registry), (waiting) => {
        put.push(waiting)
        return []
      })
      yield* queue.idle
      expect(put).toEqual([])
      expect((yield* factsOf(late)).at(-1)).toMatchObject({
        result: {
          channels: [
            {
              channel: "undeliverable",
              reason: "the agent names no session whose next event could take it along"
            }
          ]
        }
      })
      expect((yield* factsOf(silent)).at(-1)).toMatchObject({ result: { channels: [{ channel: "log" }] } })
    }).pipe(Effect.scoped))

  test("is tried again when it fails, as the same job", () =>
    Effect.gen(function* () {
      let fails = 2
      const registry = registered({
        late: {
          background: true,
          run: () => {
            if (fails-- > 0) throw new Error("not yet")
          }
        }
      })
      const { log } = yield* invoke(registry)
      const [job = ""] = yield* recordAll(log)
      const queue = yield* queueOf(inProcess(registry))
      yield* queue.idle
      expect((yield* factsOf(job)).map(({ type }) => type.replace("JOB_", ""))).toEqual([
        "ENQUEUED",
        "STARTED",
        "FAILED",
        "STARTED",
        "FAILED",
        "STARTED",
        "SUCCEEDED"
      ])
    }).pipe(Effect.scoped))

  test("does not begin before its invocation has ended", () =>
    Effect.gen(function* () {
      let ran = 0
      const registry = registered({ late: { background: true, run: () => void ran++ } })
      const { log } = yield* invoke(registry)
      const living = log.map((fact) =>
        fact.type === "INVOCATION_OPENED" ? { ...fact, pid: process.pid } : fact
      )
      const [job = ""] = yield* recordAll(living.slice(0, -1))
      const queue = yield* queueOf(inProcess(registry))
      yield* TestClock.adjust("30 seconds")
      expect([(yield* factsOf(job)).length, ran]).toEqual([2, 0])
      yield* recordAll(living.slice(-1))
      yield* TestClock.adjust("1 second")
      yield* queue.idle
      expect(ran).toBe(1)
    }).pipe(Effect.scoped))

  test("runs all the same when its invocation was killed before its end", () =>
    Effect.gen(function* () {
      let ran = 0
      const registry = registered({ late: { background: true, run: () => void ran++ } })
      const { log } = yield* invoke(registry)
      const killed = log.map((fact) =>
        fact.type === "INVOCATION_OPENED" ? { ...fact, pid: 2 ** 22 + 1 } : fact
      )
      yield* recordAll(killed.slice(0, -2))
      const queue = yield* queueOf(inProcess(registry))
      yield* queue.idle
      expect(ran).toBe(1)
    }).pipe(Effect.scoped))

  test("whose invocation is not on the log fails with that, and is looked for again", () =>
    Effect.gen(function* () {
      const job = yield* put({ kind: "hook", invocation: id, handler: "late", maxAttempts: 2 })
      const nameless = yield* put({ kind: "hook" })
      yield* queueOf(() => Effect.die("must not run"))
      yield* TestClock.adjust("1 minute")
      expect((yield* factsOf(job)).at(-1)).toMatchObject({
        type: "JOB_DIED",
        attempts: 2,
        error: { name: "NoInvocation", message: `the invocation ${id} is not on the log` }
      })
      expect((yield* factsOf(nameless)).at(-1)).toMatchObject({
        attempts: 1,
        error: { message: "the job names no invocation" }
      })
    }).pipe(Effect.scoped))
})
