/** Ids of traces and spans, derived: what is sent again has the same, whoever sends it. */
import { createHmac } from "node:crypto"

/** `key`: the installation's. */
export const makeIds = (key: Buffer) => {
  const digits = (parts: readonly string[], length: number): string =>
    createHmac("sha256", key)
      .update(JSON.stringify(["otlp", ...parts]))
      .digest("hex")
      .slice(0, length)
  return {
    trace: (...parts: readonly string[]): string => digits(["trace", ...parts], 32),
    span: (...parts: readonly string[]): string => digits(["span", ...parts], 16)
  }
}
export type Ids = ReturnType<typeof makeIds>
