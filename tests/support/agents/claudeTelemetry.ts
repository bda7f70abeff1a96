/** What Claude Code's own telemetry says, and where it stands in hooktape's tree: by the ids that both say, and by nothing else. */
import { attributeOf, type Foreign, type Span } from "../otlpReceiver.ts"

/** One span, log record or metric of Claude Code's, with the ids that it names. */
export interface Told {
  readonly kind: "span" | "log" | "metric"
  readonly name: string
  readonly session: string | undefined
  /** Of its prompt: the turn. */
  readonly prompt: string | undefined
  /** Of its tool call. */
  readonly call: string | undefined
  readonly spanId: string | undefined
  readonly parentSpanId: string | undefined
  readonly start: string
}

type Attributed = { readonly attributes: Span["attributes"] }

interface LogRecord extends Attributed {
  readonly timeUnixNano: string
  readonly spanId?: string
}

interface Metric {
  readonly name: string
  readonly sum?: { readonly dataPoints: readonly (Attributed & { readonly timeUnixNano: string })[] }
}

interface Body {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
  readonly resourceLogs?: readonly {
    readonly scopeLogs: readonly { readonly logRecords: readonly LogRecord[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[]
  }[]
}

const textOf = (one: Attributed, key: string): string | undefined => {
  const value = attributeOf(one, key)
  return typeof value === "string" ? value : undefined
}

const idsOf = (one: Attributed) => ({
  session: textOf(one, "session.id"),
  prompt: textOf(one, "prompt.id"),
  call: textOf(one, "tool_use_id")
})

const nowhere = { spanId: undefined, parentSpanId: undefined }

/** All of it, as it came. */
export const toldIn = (foreign: readonly Foreign[]): readonly Told[] =>
  foreign
    .map(({ body }) => body as Body)
    .flatMap(({ resourceLogs = [], resourceMetrics = [], resourceSpans = [] }): readonly Told[] => [
      ...resourceSpans
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({
          kind: "span" as const,
          name: span.name,
          ...idsOf(span),
          spanId: span.spanId,
          parentSpanId: span.parentSpanId,
          start: span.startTimeUnixNano
        })),
      ...resourceLogs
        .flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
        .map((record) => ({
          kind: "log" as const,
          name: textOf(record, "event.name") ?? "?",
          ...idsOf(record),
          spanId: record.spanId,
          parentSpanId: undefined,
          start: record.timeUnixNano
        })),
      ...resourceMetrics
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        .flatMap(({ name, sum }) =>
          (sum?.dataPoints ?? []).slice(0, 1).map((point) => ({
            kind: "metric" as const,
            name,
            ...idsOf(point),
            ...nowhere,
            start: point.timeUnixNano
          }))
        )
    ])

/** No span of Claude Code's names its prompt: that of a turn is told by the records that stand in it. */
export const promptOf = (told: readonly Told[], spanId: string | undefined): string | undefined =>
  told.find(({ kind, prompt, spanId: at }) => kind === "log" && at === spanId && prompt !== undefined)?.prompt

const sameAs =
  (key: string, value: string | undefined) =>
  (span: Span): boolean =>
    value !== undefined && attributeOf(span, key) === value

/** Our span that something of theirs is about: its call's, else its turn's, else its session's. */
export const oursFor = (own: readonly Span[], told: readonly Told[], one: Told): Span | undefined => {
  const within = own.filter(sameAs("session.id", one.session))
  const prompt = one.prompt ?? (one.kind === "span" ? promptOf(told, one.spanId) : undefined)
  return (
    within
      .filter(({ name }) => name.startsWith("execute_tool"))
      .find(sameAs("gen_ai.tool.call.id", one.call)) ??
    within.filter(({ name }) => name.startsWith("invoke_agent")).find(sameAs("prompt.id", prompt)) ??
    within.find(({ name }) => name === "session")
  )
}

/** Theirs as spans beneath ours. A span of theirs that names no id of its own stays beneath theirs. */
export const hungUnder = (own: readonly Span[], told: readonly Told[]): readonly Span[] => {
  const theirIds = new Set(told.flatMap(({ kind, spanId }) => (kind === "span" ? [spanId] : [])))
  return told.map((one, at): Span => {
    const isOwnPlace =
      one.kind === "span" && one.name !== "claude_code.tool" && theirIds.has(one.parentSpanId)
    const parent = isOwnPlace ? one.parentSpanId : oursFor(own, told, one)?.spanId
    return {
      traceId: "0".repeat(32),
      spanId: one.kind === "span" && one.spanId !== undefined ? one.spanId : `${one.kind} ${at}`,
      ...(parent === undefined ? {} : { parentSpanId: parent }),
      name: one.kind === "span" ? one.name : `${one.kind} ${one.name}`,
      kind: 1,
      startTimeUnixNano: one.start,
      endTimeUnixNano: one.start,
      attributes: []
    }
  })
}
