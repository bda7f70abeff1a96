/** Which invocation a fact belongs to, wherever it stands. */
import type { Recorded } from "./Recorded.ts"

const prefix = "invocation/"

export const invocationStream = (invocation: string): string => `${prefix}${invocation}`

type Placed = Pick<Recorded, "data" | "invocation" | "stream" | "type">

/** The one that it is a fact of, or that led to its job. Of jobs of earlier versions only the first fact says so. */
export const invocationOf = ({ data, invocation, stream, type }: Placed): string | null => {
  if (stream.startsWith(prefix)) return stream.slice(prefix.length)
  if (invocation !== undefined || type !== "JOB_ENQUEUED") return invocation ?? null
  const named = (data as { readonly invocation?: unknown } | null)?.invocation
  return typeof named === "string" ? named : null
}
