/** What may leave the machine of each fact: decisions, timings, sizes and digests; no payload, no text of a hook, no path. */
import { redactText } from "../../redact/redact.ts"

/**
 * `value`: a text, number or truth; `values`: a list of those; `time`: milliseconds since 1970; `numbers`: a number by each name; otherwise
 * fields, also of each one in a list.
 */
export type Shape = "value" | "values" | "time" | "numbers" | { readonly [field: string]: Shape }

const handler = { handler: "value", event: "value", index: "value", attempt: "value" } as const
const failed = { ...handler, from: "value", policy: "value", fromUs: "value", ms: "value" } as const
const planned = {
  handler: "value",
  event: "value",
  index: "value",
  priority: "value",
  deadlineMs: "value",
  from: "value"
} as const
const sent = {
  exitCode: "value",
  channels: { intent: "value", handler: "value", channel: "value" }
} as const

/** What a payload told, of which nothing else is sent: verdicts, counts, digests, and problems by their signatures. */
const findings = {
  about: "value",
  subagent: "value",
  moments: {
    kind: "value",
    turn: "value",
    isHuman: "value",
    use: "value",
    name: "value",
    tool: "value",
    isUnnamed: "value",
    isBatch: "value",
    told: "value",
    verdict: "value",
    error: "value",
    looks: "value",
    checks: { purpose: "value", folder: "value", program: "value", targets: "values" },
    edits: { file: "value", added: "value", removed: "value" },
    commits: "values"
  },
  effects: { use: "value", kind: "value", at: "time" },
  signs: {
    chain: "value",
    sign: "value",
    at: "time",
    use: "value",
    effects: "values",
    shown: "value",
    grade: "value",
    isFlaky: "value",
    fix: "values",
    why: "value",
    problem: "value",
    pattern: "value",
    family: "value",
    code: "value",
    tool: "value",
    revealedBy: "value"
  }
} as const

export const shapes: Readonly<Record<string, Shape>> = {
  INVOCATION_OPENED: {
    transport: "value",
    runtime: "value",
    build: "value",
    config: "value",
    deadlineMs: "value",
    route: "value"
  },
  PAYLOAD_BUFFERED: { bytes: "value", digest: "value", findings },
  PAYLOAD_REJECTED: { reason: "value", bytes: "value", digest: "value" },
  HANDLERS_PLANNED: { handlers: planned, background: planned },
  HANDLER_STARTED: handler,
  HANDLER_SUCCEEDED: { ...handler, from: "value", intents: { type: "value" }, fromUs: "value", ms: "value" },
  HANDLER_FAILED: failed,
  HANDLER_TIMED_OUT: { ...failed, deadlineMs: "value" },
  HANDLER_SKIPPED: { handler: "value", event: "value", index: "value", from: "value", policy: "value" },
  REPLY_DELIVERED: sent,
  DELIVERY_FAILED: sent,
  EXITED: { code: "value", ms: "numbers", summary: "numbers" }
}

export const shippedTypes: readonly string[] = Object.keys(shapes)

/** Characters of a text, and of a name of a number: longer ones are no names. */
export const longest = 200

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const scalar = (value: unknown): unknown => {
  if (typeof value === "string") {
    const said = value.length > longest ? value : redactText(value)
    return said.length > longest ? undefined : said
  }
  return typeof value === "number" || typeof value === "boolean" ? value : undefined
}

/** A date has no place for others. */
export const latest = 8.64e15
const time = (value: unknown): unknown =>
  typeof value === "number" && Math.abs(value) <= latest ? value : undefined

const pick = (value: unknown, shape: Shape): unknown => {
  if (shape === "value") return scalar(value)
  if (shape === "time") return time(value)
  if (shape === "values")
    return Array.isArray(value) ? value.map(scalar).filter((one) => one !== undefined) : undefined
  if (Array.isArray(value)) return value.map((one) => pick(one, shape))
  if (!isObject(value)) return undefined
  const entries =
    shape === "numbers"
      ? Object.entries(value).filter(([name, one]) => typeof one === "number" && name.length <= longest)
      : Object.entries(shape).map(([field, inner]) => [field, pick(value[field], inner)] as const)
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

/** Undefined for a fact of which nothing is sent. */
export const shapeOf = (type: string, data: unknown): unknown => {
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined
  return shape === undefined ? undefined : pick(data, shape)
}
