/** What is sent to a receiver of OpenTelemetry: one tree for each session, records and sums, whatever the receiver does, and nothing it should not. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { afterAll, describe, expect, it } from "vitest"
import { EventLog } from "../../../src/log/EventLog.ts"
import { layerMemory } from "../../../src/log/MemoryLog.ts"
import type { Sink } from "../../../src/tools/shipping/Sink.ts"
import { ship } from "../../../src/tools/shipping/ship.ts"
import {
  type Answer,
  attributeOf,
  drawn,
  type Received,
  withOtlpReceiver
} from "../../support/otlpReceiver.ts"
import { began, day, record, shell } from "../../support/recordedDay.ts"

const root = mkdtempSync(join(tmpdir(), "otlp-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const key = Buffer.alloc(32, 7)
const run = <A, E>(effect: Effect.Effect<A, E, EventLog>) =>
  Effect.runPromise(Effect.provide(effect, layerMemory()))

const sinkTo = (to: string, more: Partial<Sink> = {}): Sink => ({
  name: "traces",
  to,
  kind: "otlp",
  after: 0,
  ...more
})

/** Ends once the newest fact is behind the sink's mark. */
const shipAll = (sink: Sink, problems: string[] = []) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const { last } = yield* log.stats
    const done = yield* Deferred.make<void>()
    const watched = {
      ...log,
      setCheckpoint: (name: string, position: number) =>
        Effect.zipRight(
          log.setCheckpoint(name, position),
          position >= last ? Deferred.succeed(done, undefined) : Effect.void
        )
    }
    const fiber = yield* Effect.fork(
      ship({
        log: watched,
        sink,
        key,
        state: root,
        untilQuiet: Effect.void,
        report: (error) => Effect.sync(() => void problems.push(error ?? "well again")),
        firstPauseMs: 1,
        lookMs: 1,
        longestMs: 0,
        timeoutMs: 60_000
      })
    )
    yield* Deferred.await(done)
    yield* Fiber.interrupt(fiber)
  })

const shipped = async (prompts: boolean, use: (received: Received) => void): Promise<void> =>
  withOtlpReceiver({}, async (received) => {
    await run(Effect.zipRight(record(day, prompts), shipAll(sinkTo(received.url))))
    expect(received.problems).toEqual([])
    use(received)
  })

const tree = (agent: string, tool: string) => `session
  hooks SessionStart
  invoke_agent ${agent}
    hooks UserPromptSubmit
      hook told
    execute_tool ${tool}
      hooks PreToolUse
      hooks PostToolUse
        hook broken !
    execute_tool ${tool} !
      hooks PreToolUse
        hook guard
    hooks Stop
  invoke_agent ${agent}
    hooks UserPromptSubmit
      hook told
    execute_tool ${tool} !
      hooks PreToolUse
      hooks PostToolUseFailure
    hooks Stop
  hooks SessionEnd`

describe("the trace of a session", () => {
  it.each([
    ["by the agent's ids of its turns", true, "claude-code", "Bash"],
    ["by its prompts, where the agent has no ids", false, "qwen-code", "run_shell_command"]
  ])("is one tree: session, turn, tool call, hook call, hook; %s", async (_, prompts, agent, tool) => {
    await shipped(prompts, ({ spans }) => {
      expect(drawn(spans)).toBe(tree(agent, tool))
      const ids = new Set(spans.map(({ spanId }) => spanId))
      const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId))
      expect(roots.map(({ name }) => name)).toEqual(["session"])
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
      expect(ids.size).toBe(spans.length)
      const [session] = spans.filter(({ name }) => name === "session")
      expect(Number(session?.startTimeUnixNano.slice(0, 13))).toBe(began)
      const [ran] = spans.filter(({ name }) => name === `execute_tool ${tool}`)
      const length = BigInt(ran?.endTimeUnixNano ?? 0) - BigInt(ran?.startTimeUnixNano ?? 0)
      expect(length).toBeGreaterThanOrEqual(1_000_000_000n)
      expect(length).toBeLessThan(2_000_000_000n)
    })
  })

  it("joins the agent's own by session, prompt and tool call", async () => {
    await shipped(true, ({ spans }) => {
      const [tool] = spans.filter(({ name }) => name === "execute_tool Bash")
      const said = [
        "session.id",
        "gen_ai.conversation.id",
        "prompt.id",
        "gen_ai.tool.call.id",
        "gen_ai.tool.name"
      ]
      expect(said.map((name) => tool && attributeOf(tool, name))).toEqual(["s-1", "s-1", "p-1", "t1", "Bash"])
      expect(attributeOf(tool ?? { attributes: [] }, "gen_ai.operation.name")).toBe("execute_tool")
    })
  })

  it("names the span of the agent's own that a hook call was started in, where the agent says it as it is said", async () => {
    const [traceId, spanId] = ["4b918e40b52379b2cb4b4fd9cbd1e925", "b4a6bdd9130792d6"]
    const said = [
      `00-${traceId}-${spanId}-01`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `${traceId}-${spanId}`,
      ""
    ]
    const calls = said.map((TRACEPARENT, at) => shell("PreToolUse", `t${at}`, "ls", {}, { TRACEPARENT }))
    await withOtlpReceiver({}, async (received) => {
      await run(Effect.zipRight(record(calls, true), shipAll(sinkTo(received.url))))
      expect(received.problems).toEqual([])
      const own = received.spans.filter(({ name }) => name === "hooks PreToolUse")
      expect(own.map(({ links }) => links)).toEqual([
        [{ traceId, spanId }],
        ...said.slice(1).map(() => undefined)
      ])
      // They stay in their own tree.
      expect(own.map((span) => span.traceId)).not.toContain(traceId)
    })
  })

  it("says of a hook that a team's policy brought which version did", async () => {
    await shipped(true, ({ spans }) => {
      const policy = (hook: string): readonly unknown[] =>
        spans.filter(({ name }) => name === `hook ${hook}`).map((one) => attributeOf(one, "hooktape.policy"))
      expect(policy("guard")).toEqual(["policy acme 1.0.0"])
      expect(policy("broken")).toEqual([undefined])
    })
  })

  it("is the same when it is sent again, and another for another session", async () => {
    const traces: string[][] = []
    for (const _ of [1, 2])
      await shipped(true, ({ spans }) => void traces.push(spans.map(({ spanId }) => spanId)))
    expect(traces[0]).toEqual(traces[1])
    await withOtlpReceiver({}, async (received) => {
      await run(Effect.zipRight(record(day, true, "s-22"), shipAll(sinkTo(received.url))))
      expect(received.spans.filter(({ spanId }) => traces[0]?.includes(spanId))).toEqual([])
    })
  })
})

interface Counted {
  readonly name: string
  readonly point: Parameters<typeof attributeOf>[0]
  readonly n: number
}

describe("records and sums", () => {
  it("are of each fact that may leave the machine, at its hook call, with how bad it is", async () => {
    await shipped(true, ({ logs, spans }) => {
      const failed = logs.filter(({ severityText }) => severityText === "ERROR")
      expect(failed).toMatchObject([{ eventName: "hooktape.handler_failed", severityNumber: 17 }])
      expect(attributeOf(failed[0] ?? { attributes: [] }, "hooktape.handler")).toBe("broken")
      const calls = new Set(spans.filter(({ name }) => name.startsWith("hooks ")).map(({ spanId }) => spanId))
      expect(logs.every(({ spanId }) => calls.has(spanId))).toBe(true)
      expect(logs.filter(({ eventName }) => eventName === "hooktape.exited")).toHaveLength(day.length)
    })
  })

  it("count each call and each run once, by who and how it went", async () => {
    await shipped(true, ({ metrics }) => {
      const points = metrics.flatMap((metric): readonly Counted[] =>
        "histogram" in metric
          ? metric.histogram.dataPoints.map((point) => ({ name: metric.name, point, n: Number(point.count) }))
          : metric.sum.dataPoints.map((point) => ({ name: metric.name, point, n: Number(point.asInt) }))
      )
      const sumOf = (name: string, key?: string, value?: unknown): number =>
        points
          .filter((one) => one.name === name && (key === undefined || attributeOf(one.point, key) === value))
          .reduce((sum, { n }) => sum + n, 0)
      expect(sumOf("hooktape.call.duration")).toBe(day.length)
      expect(sumOf("hooktape.call.duration", "hooktape.blocked", true)).toBe(1)
      expect(sumOf("hooktape.handler.duration", "hooktape.outcome", "failed")).toBe(1)
      expect(sumOf("hooktape.handler.duration", "hooktape.hook", "told")).toBe(2)
      expect(sumOf("hooktape.intents", "hooktape.intent", "BLOCKING_FEEDBACK")).toBe(1)
      for (const point of metrics.flatMap((one) => ("histogram" in one ? one.histogram.dataPoints : []))) {
        expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1)
        expect(point.bucketCounts.reduce((sum, n) => sum + Number(n), 0)).toBe(Number(point.count))
      }
    })
  })
})

describe("what is sent", () => {
  it("holds no payload, no words of anybody, no path and no project", async () => {
    await shipped(true, ({ bodies }) => {
      expect(bodies.join("\n").length).toBeGreaterThan(10_000)
      expect(bodies.join("\n")).not.toMatch(/WORDS-OF|CONTEXT-OF|REASON-OF|somebody|\/home|startup/)
    })
  })
})

describe("a receiver of OpenTelemetry", () => {
  const status =
    (code: number, body = "", headers: Readonly<Record<string, string>> = {}): Answer =>
    (_, response) =>
      void response.writeHead(code, headers).end(body)

  it("that is away, cuts and wants to wait gets everything in the end, its token, and sums once", async () => {
    writeFileSync(join(root, "token"), "of-the-team\n")
    const answers = {
      "/v1/traces": [status(503), ((request) => void request.socket.destroy()) satisfies Answer],
      "/v1/logs": [status(429, "", { "retry-after": "0" })],
      "/v1/metrics": [status(502)]
    }
    await withOtlpReceiver(answers, async (received) => {
      const problems: string[] = []
      const sink = sinkTo(`${received.url}/`, { tokenFile: join(root, "token") })
      await run(Effect.zipRight(record(day, true), shipAll(sink, problems)))
      expect(
        new Set(received.spans.filter(({ name }) => name.startsWith("hooks ")).map(({ spanId }) => spanId))
          .size
      ).toBe(day.length)
      const counts = received.metrics.flatMap((metric) =>
        "histogram" in metric && metric.name === "hooktape.call.duration"
          ? metric.histogram.dataPoints.map(({ count }) => Number(count))
          : []
      )
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(day.length)
      expect(problems[0]).toBe("the receiver answered 503")
      expect(problems.at(-1)).toBe("well again")
      expect(received.requests.every((one) => one.endsWith("Bearer of-the-team"))).toBe(true)
    })
  })

  it("that cannot read what it is sent holds nothing up, and it is said", async () => {
    await withOtlpReceiver({ "/v1/logs": [status(400)] }, async (received) => {
      const problems: string[] = []
      await run(Effect.zipRight(record(day, true), shipAll(sinkTo(received.url), problems)))
      expect(received.requests).toEqual(["/v1/traces", "/v1/logs", "/v1/metrics"])
      expect(problems).toEqual(["logs: the receiver could not read what it was sent, and did not take it"])
    })
  })

  it("that answers without an end is not listened to", async () => {
    const endless: Answer = (_, response) => {
      response.writeHead(200)
      const more = (): void => void (response.destroyed || response.write("x".repeat(65_536), more))
      more()
    }
    await withOtlpReceiver({ "/v1/traces": [endless] }, async (received) => {
      const problems: string[] = []
      await run(Effect.zipRight(record(day, true), shipAll(sinkTo(received.url), problems)))
      expect(received.requests).toEqual(["/v1/traces", "/v1/logs", "/v1/metrics"])
      expect(problems).toEqual([])
    })
  })

  it("that takes a part is not asked again, and that is said until it takes all", async () => {
    const part = status(200, '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}')
    await withOtlpReceiver({ "/v1/traces": [part] }, async (received) => {
      const problems: string[] = []
      await run(
        Effect.gen(function* () {
          yield* record(day, true)
          yield* shipAll(sinkTo(received.url), problems)
          expect(problems).toEqual(["traces: the receiver did not take 2 of what it was sent: too old"])
        })
      )
    })
  })

  it("gets nothing of a call that has not ended, and then all of it", async () => {
    await withOtlpReceiver({}, async (received) => {
      await run(
        Effect.gen(function* () {
          const log = yield* EventLog
          yield* record(day.slice(0, 3), true)
          const facts = [...(yield* Stream.runCollect(log.read({})))]
          const exits = facts.filter(({ type }) => type === "EXITED").map(({ position }) => position)
          // As if the last call were still running.
          const open = { ...log, read: (filter = {}) => log.read({ before: exits.at(-1) ?? 0, ...filter }) }
          const fiber = yield* Effect.fork(
            ship({
              log: open,
              sink: sinkTo(received.url),
              key,
              state: root,
              untilQuiet: Effect.void,
              report: () => Effect.void,
              lookMs: 1,
              longestMs: 0
            })
          )
          yield* Effect.repeat(Effect.sleep(5), {
            until: () => Effect.sync(() => received.metrics.length > 0)
          })
          yield* Fiber.interrupt(fiber)
          expect(received.spans.map(({ name }) => name)).not.toContain("hooks PreToolUse")
          yield* shipAll(sinkTo(received.url))
          expect(received.spans.map(({ name }) => name)).toContain("hooks PreToolUse")
        })
      )
    })
  })
})
