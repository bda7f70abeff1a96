/** A log record for each fact of a hook call, with what of the fact may leave the machine. Pure. */

import { shapeOf } from "../shape.ts"
import type { HookCall } from "./HookCall.ts"
import { type Branch, joining } from "./spans.ts"
import { attributes, type KeyValue, nanoseconds, type Plain, type Value } from "./values.ts"

export interface LogRecord {
  readonly timeUnixNano: string
  readonly observedTimeUnixNano: string
  readonly severityNumber: number
  readonly severityText: string
  readonly eventName: string
  readonly body: Value
  readonly attributes: readonly KeyValue[]
  readonly traceId: string
  readonly spanId: string
}

const levels: Readonly<Record<string, readonly [number, string]>> = {
  HANDLER_FAILED: [17, "ERROR"],
  HANDLER_TIMED_OUT: [17, "ERROR"],
  DELIVERY_FAILED: [17, "ERROR"],
  PAYLOAD_REJECTED: [13, "WARN"],
  HANDLER_SKIPPED: [13, "WARN"]
}

/** Nested fields by dotted names; of a list of objects a list for each of their fields. */
const flat = (value: unknown, path: string): readonly (readonly [string, Plain])[] => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return [[path, value]]
  if (Array.isArray(value)) {
    const fields = new Map<string, Plain[]>()
    for (const [key, plain] of value.flatMap((one) => flat(one, path)))
      fields.set(key, [...(fields.get(key) ?? []), plain])
    return [...fields]
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => flat(one, `${path}.${key}`))
}

export const logsOf = (call: HookCall, branch: Branch): readonly LogRecord[] =>
  call.facts.flatMap((fact): readonly LogRecord[] => {
    const shape = shapeOf(fact.type, fact.data)
    if (shape === undefined) return []
    const [severityNumber, severityText] = levels[fact.type] ?? [9, "INFO"]
    const eventName = `hooktape.${fact.type.toLowerCase()}`
    return [
      {
        timeUnixNano: nanoseconds(fact.at),
        observedTimeUnixNano: nanoseconds(fact.recordedAt),
        severityNumber,
        severityText,
        eventName,
        body: { stringValue: eventName },
        attributes: attributes({
          ...joining(call),
          "hooktape.fact": fact.id,
          "hooktape.invocation": call.invocation,
          ...Object.fromEntries(flat(shape, "hooktape"))
        }),
        traceId: branch.traceId,
        spanId: branch.call
      }
    ]
  })
