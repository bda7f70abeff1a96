/** Which invocation a fact belongs to, wherever it stands. */
import type { Recorded } from "./Recorded.ts"

const prefix = "invocation/"

export const invocationStream = (invocation: string): string => `${prefix}${invocation}`

/** The one that it is a fact of, or that led to its job. In older logs only the first fact of a job tells. */
export const invocationOf = ({
  data,
  stream,
  type
}: Pick<Recorded, "data" | "stream" | "type">): string | null => {
  if (stream.startsWith(prefix)) return stream.slice(prefix.length)
  if (!type.startsWith("JOB_")) return null
  const named = (data as { readonly invocation?: unknown } | null)?.invocation
  return typeof named === "string" ? named : null
}
