/** A receiver of OpenTelemetry's protocol over HTTP on this machine: takes what it is sent, read as the protocol has it, or answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"
import * as Schema from "effect/Schema"

const Hex = (length: number) => Schema.String.pipe(Schema.pattern(new RegExp(`^[0-9a-f]{${length}}$`)))
const Digits = Schema.String.pipe(Schema.pattern(/^\d+$/))
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

type Value =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly Value[] } }
const Value: Schema.Schema<Value> = Schema.Union(
  Schema.Struct({ stringValue: Schema.String }),
  Schema.Struct({ boolValue: Schema.Boolean }),
  Schema.Struct({ intValue: Schema.String.pipe(Schema.pattern(/^-?\d+$/)) }),
  Schema.Struct({ doubleValue: Schema.Number }),
  Schema.Struct({
    arrayValue: Schema.Struct({ values: Schema.Array(Schema.suspend((): Schema.Schema<Value> => Value)) })
  })
)
const KeyValues = Schema.Array(Schema.Struct({ key: Schema.String, value: Value }))

const Span = Schema.Struct({
  traceId: Hex(32),
  spanId: Hex(16),
  parentSpanId: optional(Hex(16)),
  name: Schema.String,
  kind: Schema.Literal(1, 2, 3, 4, 5),
  startTimeUnixNano: Digits,
  endTimeUnixNano: Digits,
  attributes: KeyValues,
  links: optional(Schema.Array(Schema.Struct({ traceId: Hex(32), spanId: Hex(16) }))),
  status: optional(Schema.Struct({ code: Schema.Literal(0, 1, 2), message: optional(Schema.String) }))
})
export type Span = typeof Span.Type

const LogRecord = Schema.Struct({
  timeUnixNano: Digits,
  observedTimeUnixNano: Digits,
  severityNumber: Schema.Int.pipe(Schema.between(1, 24)),
  severityText: Schema.String,
  eventName: Schema.String,
  body: Value,
  attributes: KeyValues,
  traceId: Hex(32),
  spanId: Hex(16)
})
export type LogRecord = typeof LogRecord.Type

const point = { attributes: KeyValues, startTimeUnixNano: Digits, timeUnixNano: Digits }
const Temporality = Schema.Literal(1, 2)
const described = { name: Schema.String, unit: Schema.String, description: Schema.String }
const Metric = Schema.Union(
  Schema.Struct({
    ...described,
    histogram: Schema.Struct({
      aggregationTemporality: Temporality,
      dataPoints: Schema.Array(
        Schema.Struct({
          ...point,
          count: Digits,
          sum: Schema.Number,
          bucketCounts: Schema.Array(Digits),
          explicitBounds: Schema.Array(Schema.Number)
        })
      )
    })
  }),
  Schema.Struct({
    ...described,
    sum: Schema.Struct({
      aggregationTemporality: Temporality,
      isMonotonic: Schema.Boolean,
      dataPoints: Schema.Array(
        Schema.Struct({ ...point, asInt: Schema.String.pipe(Schema.pattern(/^-?\d+$/)) })
      )
    })
  })
)
export type Metric = typeof Metric.Type

const Resource = Schema.Struct({ attributes: KeyValues })
const Scope = Schema.Struct({ name: Schema.String, version: Schema.String })
const Requests = {
  "/v1/traces": Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({
        resource: Resource,
        scopeSpans: Schema.Array(Schema.Struct({ scope: Scope, spans: Schema.Array(Span) }))
      })
    )
  }),
  "/v1/logs": Schema.Struct({
    resourceLogs: Schema.Array(
      Schema.Struct({
        resource: Resource,
        scopeLogs: Schema.Array(Schema.Struct({ scope: Scope, logRecords: Schema.Array(LogRecord) }))
      })
    )
  }),
  "/v1/metrics": Schema.Struct({
    resourceMetrics: Schema.Array(
      Schema.Struct({
        resource: Resource,
        scopeMetrics: Schema.Array(Schema.Struct({ scope: Scope, metrics: Schema.Array(Metric) }))
      })
    )
  })
} as const

const decoded = <A, I>(schema: Schema.Schema<A, I>, body: unknown): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(body)

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface Received {
  readonly url: string
  readonly spans: Span[]
  readonly logs: LogRecord[]
  readonly metrics: Metric[]
  /** Of each request the path and the authorization. */
  readonly requests: string[]
  /** All that was sent, as text. */
  readonly bodies: string[]
  /** What did not read as the protocol has it. */
  readonly problems: string[]
}

/** What somebody else sent, who may say more than we do. */
export interface Foreign {
  readonly path: string
  readonly body: unknown
}

const isOurs = (body: unknown): boolean => JSON.stringify(body).includes('"stringValue":"hooktape"')

/** `answers`: by path, one after the other; then everything is taken. */
export const withOtlpReceiver = async (
  answers: Readonly<Record<string, readonly Answer[]>>,
  use: (received: Received, foreign: readonly Foreign[]) => Promise<void>
): Promise<void> => {
  const left = new Map(Object.entries(answers).map(([path, all]) => [path, [...all]]))
  const foreign: Foreign[] = []
  const received = { spans: [], logs: [], metrics: [], requests: [], bodies: [], problems: [] } as Omit<
    Received,
    "url"
  >
  const take = (path: string, body: unknown): void => {
    received.bodies.push(JSON.stringify(body))
    if (path === "/v1/traces")
      for (const { scopeSpans } of decoded(Requests[path], body).resourceSpans)
        received.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
    else if (path === "/v1/logs")
      for (const { scopeLogs } of decoded(Requests[path], body).resourceLogs)
        received.logs.push(...scopeLogs.flatMap(({ logRecords }) => logRecords))
    else if (path === "/v1/metrics")
      for (const { scopeMetrics } of decoded(Requests[path], body).resourceMetrics)
        received.metrics.push(...scopeMetrics.flatMap(({ metrics }) => metrics))
    else throw new Error(`nothing is taken at ${path}`)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    const path = request.url ?? ""
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.requests.push(`${path} ${request.headers.authorization ?? ""}`.trim())
      const answer = left.get(path)?.shift()
      if (answer !== undefined) return answer(request, response)
      const bytes = Buffer.concat(chunks)
      try {
        const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes
        const body: unknown = JSON.parse(text.toString())
        if (isOurs(body)) take(path, body)
        else foreign.push({ path, body })
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      } catch (cause) {
        received.problems.push(String(cause))
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    await use({ ...received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, foreign)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** An attribute as plain JSON. */
export const attributeOf = (
  { attributes }: { readonly attributes: readonly { readonly key: string; readonly value: unknown }[] },
  key: string
): unknown => {
  const value = attributes.find((one) => one.key === key)?.value as
    | Readonly<Record<string, unknown>>
    | undefined
  return value === undefined ? undefined : Object.values(value)[0]
}

/** The tree that spans make by their ids, drawn: each under its parent, in the order in which they began. */
export const drawn = (spans: readonly Span[]): string => {
  const byStart = [...spans].sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const lines: string[] = []
  const draw = (parent: string | undefined, depth: number): void => {
    for (const one of byStart) {
      const isRoot = one.parentSpanId === undefined || !ids.has(one.parentSpanId)
      if (parent === undefined ? !isRoot : one.parentSpanId !== parent) continue
      lines.push(`${"  ".repeat(depth)}${one.name}${one.status?.code === 2 ? " !" : ""}`)
      draw(one.spanId, depth + 1)
    }
  }
  draw(undefined, 0)
  return lines.join("\n")
}
