/** OpenTelemetry's protocol as JSON has it (opentelemetry-proto 1): what of it is sent, and how values and times are written. */
import { redactText } from "../../../redact/redact.ts"

export type Value =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  /** A decimal text: JSON's numbers are too short for 64 bits. */
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly Value[] } }

export interface KeyValue {
  readonly key: string
  readonly value: Value
}

export type Plain = string | number | boolean | readonly Plain[]

/** Longer ones are no names. */
const longest = 200

const valueOf = (plain: Plain): Value => {
  if (typeof plain === "string") return { stringValue: redactText(plain.slice(0, longest)) }
  if (typeof plain === "boolean") return { boolValue: plain }
  if (typeof plain === "number")
    return Number.isSafeInteger(plain) ? { intValue: String(plain) } : { doubleValue: plain }
  return { arrayValue: { values: plain.map(valueOf) } }
}

/** What is not known is left out. */
export const attributes = (of: Readonly<Record<string, Plain | null | undefined>>): readonly KeyValue[] =>
  Object.entries(of).flatMap(([key, plain]) =>
    plain === undefined || plain === null || plain === "" ? [] : [{ key, value: valueOf(plain) }]
  )

/** Milliseconds since 1970 as nanoseconds in decimal digits. */
export const nanoseconds = (ms: number): string => {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)))
}
