/** Hands ended hook calls to a receiver of OpenTelemetry's protocol over HTTP: traces, logs and metrics, as JSON. */
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { EventLogShape } from "../../log/EventLog.ts"
import type { Batch, Courier } from "./Courier.ts"
import { endedCalls } from "./endedCalls.ts"
import { lastOf } from "./eventCourier.ts"
import { conventions } from "./otlp/conventions.ts"
import { logsOf } from "./otlp/logs.ts"
import { metricsOf } from "./otlp/metrics.ts"
import { makeIds } from "./otlp/spanIds.ts"
import { branchOf, spansOf } from "./otlp/spans.ts"
import { makeLookUp } from "./otlp/surroundings.ts"
import { attributes } from "./otlp/values.ts"
import { asking, beginningOf, refusal, request, unfit } from "./request.ts"
import { type Sink, targetProblem } from "./Sink.ts"

export interface OtlpCourierOptions {
  readonly sink: Sink
  readonly log: EventLogShape
  readonly key: Buffer
  readonly timeoutMs: number
  /** How long facts wait at most for others to go along with. */
  readonly longestMs?: number | undefined
  /** Of what was sent the receiver did not take a part, for good; undefined: it took all again. */
  readonly complain: (problem: string | undefined) => Effect.Effect<void>
}

/** Facts in a batch, and how many are worth a request. */
const most = 500
const enough = 200
/** More of an answer is not read. */
const longestAnswer = 100_000

const pack = promisify(gzip)

const addressOf = (to: string, signal: string): string => `${to.replace(/\/+$/, "")}/v1/${signal}`

/** What a receiver says of a part that it did not take; it is not to be sent again. */
const rejectedIn = (text: string): string | undefined => {
  try {
    const { partialSuccess = {} } = JSON.parse(text) as { partialSuccess?: Readonly<Record<string, unknown>> }
    const [rejected] = Object.entries(partialSuccess).filter(
      ([key, n]) => /^rejected/.test(key) && Number(n) > 0
    )
    if (rejected === undefined) return undefined
    const { errorMessage } = partialSuccess
    const why = typeof errorMessage === "string" ? `: ${errorMessage.slice(0, 200)}` : ""
    return `the receiver did not take ${rejected[1]} of what it was sent${why}`
  } catch {
    return undefined
  }
}

export const otlpCourier = (options: OtlpCourierOptions): Courier => {
  const { complain, key, log, longestMs = 5000, sink, timeoutMs } = options
  const ids = makeIds(key)
  const lookUp = makeLookUp(log)
  let since: number | undefined
  let isWhole = true

  const post = async (to: string, body: object, signal: AbortSignal): Promise<string | undefined> => {
    const { tokenFile } = sink
    const packed = await pack(JSON.stringify(body))
    const answer = await request(
      { to, tokenFile, type: "application/json", body: packed, packed: true },
      signal
    )
    const text = await beginningOf(answer, longestAnswer)
    if (answer.ok) return rejectedIn(text)
    // By the protocol this is said of what is sent, and sending it again would end the same way.
    if (answer.status === 400) return "the receiver could not read what it was sent, and did not take it"
    throw refusal(answer, "the receiver")
  }

  const send = Effect.fn("ship.otlp")(function* (facts: Batch) {
    const problem = targetProblem(sink.to)
    if (problem !== undefined) return yield* unfit(sink, problem)
    const calls = yield* endedCalls(log, facts)
    const [first] = calls
    if (first === undefined) return lastOf(facts)
    const now = yield* Clock.currentTimeMillis
    const around = yield* Effect.forEach(calls, (call) =>
      Effect.map(lookUp(call), (surroundings) => ({ call, surroundings }))
    )
    const resource = {
      attributes: attributes({
        "service.name": "hooktape",
        "service.instance.id": first.source
      })
    }
    const scope = { name: "hooktape", version: conventions }
    const spans = around.flatMap(({ call, surroundings }) => spansOf(ids, call, surroundings))
    const logRecords = around.flatMap(({ call, surroundings }) =>
      logsOf(call, branchOf(ids, call, surroundings))
    )
    // Last: of all three it alone is wrong where it comes twice.
    const metrics = metricsOf(calls, since ?? first.from, now)
    const requests = [
      ["traces", { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }],
      ["logs", { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] }],
      ["metrics", { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }]
    ] as const
    const refused: string[] = []
    for (const [signal, body] of requests) {
      const rejected = yield* asking((abort) => post(addressOf(sink.to, signal), body, abort), timeoutMs)
      if (rejected !== undefined) refused.push(`${signal}: ${rejected}`)
    }
    if (!isWhole || refused.length > 0) yield* complain(refused[0])
    isWhole = refused.length === 0
    since = now
    return lastOf(facts)
  })

  return {
    most,
    isDue: (facts, now) => facts.length >= enough || now - facts[0].recordedAt >= longestMs,
    send
  }
}
