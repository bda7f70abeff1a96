/** Which invocation a reference means: an id, the beginning or the end of one, or `last`. */
import * as Either from "effect/Either"
import { CliError } from "./CliError.ts"

export interface Candidate {
  readonly invocation: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly agent: string | null
  readonly agentEvent: string | null
}

/** What is shown of an id: its beginning is the time, which close ones share; its end tells them apart. */
export const shortId = (invocation: string): string => invocation.slice(-8)

const shown = 6

const listed = (candidates: readonly Candidate[]): string => {
  const lines = candidates
    .slice(0, shown)
    .map(({ invocation, agent, agentEvent }) => `${invocation} (${agent} ${agentEvent})`)
  const more = candidates.length > shown ? ` and ${candidates.length - shown} more` : ""
  return lines.join(", ") + more
}

const plain = (text: string): string => text.toLowerCase().replaceAll("-", "")

/** `candidates` in the order of the log. */
export const resolveRef = (
  ref: string,
  candidates: readonly Candidate[]
): Either.Either<string, CliError> => {
  const what = `"${ref}"`
  const last = candidates.at(-1)
  if (last === undefined) {
    return Either.left(
      new CliError({
        what,
        reason: "the log holds no invocation yet",
        remedy: 'Run "hooktape install", or "hooktape run".'
      })
    )
  }
  if (ref === "last") return Either.right(last.invocation)
  const wanted = plain(ref.replace(/^invocation\//, ""))
  const unknown = new CliError({
    what,
    reason: "no invocation has this id",
    remedy: 'Take one from "hooktape log", or "last".'
  })
  if (!/^[0-9a-f]+$/.test(wanted)) return Either.left(unknown)
  const exact = candidates.find(({ invocation }) => plain(invocation) === wanted)
  if (exact) return Either.right(exact.invocation)
  const near = candidates.filter(({ invocation }) => {
    const id = plain(invocation)
    return id.startsWith(wanted) || id.endsWith(wanted)
  })
  const [only] = near
  if (only === undefined) return Either.left(unknown)
  if (near.length === 1) return Either.right(only.invocation)
  return Either.left(
    new CliError({ what, reason: `could be ${listed(near)}`, remedy: "Write more of the one you mean." })
  )
}
