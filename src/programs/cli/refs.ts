/** Which invocation or job a reference means: an id, the beginning or the end of one, the beginning of its short form, or `last`. */
import * as Either from "effect/Either"
import type { Candidate } from "../../features/timeline/find.ts"
import { positionIn } from "../../features/timeline/findObserved.ts"
import { shortId } from "../../features/timeline/words.ts"
import { CliError } from "./CliError.ts"

const shown = 6

/** An id and what is said of it where several could be meant. */
export interface Named {
  readonly id: string
  readonly about: string
}

/** How the log's invocations, jobs, notes are spoken of. */
export interface Words {
  readonly stream: string
  readonly none: { readonly reason: string; readonly remedy: string }
  readonly unknown: { readonly reason: string; readonly remedy: string }
}

const listed = (candidates: readonly Named[]): string => {
  const lines = candidates.slice(0, shown).map(({ id, about }) => `${id} (${about})`)
  const more = candidates.length > shown ? ` and ${candidates.length - shown} more` : ""
  return lines.join(", ") + more
}

const plain = (text: string): string => text.toLowerCase().replaceAll("-", "")

export const resolveId = (
  ref: string,
  candidates: readonly Named[],
  words: Words
): Either.Either<string, CliError> => {
  const what = `"${ref}"`
  const last = candidates.at(-1)
  if (last === undefined) return Either.left(new CliError({ what, ...words.none }))
  if (ref === "last") return Either.right(last.id)
  const wanted = plain(ref.replace(words.stream, ""))
  const unknown = new CliError({ what, ...words.unknown })
  if (!/^[0-9a-f]+$/.test(wanted)) return Either.left(unknown)
  const exact = candidates.find(({ id }) => plain(id) === wanted)
  if (exact) return Either.right(exact.id)
  const near = candidates.filter(
    ({ id }) => plain(id).startsWith(wanted) || plain(id).endsWith(wanted) || shortId(id).startsWith(wanted)
  )
  const [only] = near
  if (only === undefined) return Either.left(unknown)
  if (near.length === 1) return Either.right(only.id)
  return Either.left(
    new CliError({ what, reason: `could be ${listed(near)}`, remedy: "Write more of the one you mean." })
  )
}

/** The digits of a reference to an invocation; undefined where it is none. */
export const digitsOf = (ref: string): string | undefined => {
  const digits = plain(ref.replace(invocations.stream, ""))
  return /^[0-9a-f]+$/.test(digits) ? digits : undefined
}

const invocations: Words = {
  stream: "invocation/",
  none: {
    reason: "the log holds no invocation yet",
    remedy: 'Run "hooktape install --agent NAME", or "hooktape run".'
  },
  unknown: { reason: "no invocation has this id", remedy: 'Take one from "hooktape log", or "last".' }
}

/** `candidates` in the order of the log. */
export const resolveRef = (ref: string, candidates: readonly Candidate[]): Either.Either<string, CliError> =>
  positionIn(ref) === undefined
    ? resolveId(
        ref,
        candidates.map(({ agent, agentEvent, invocation }) => ({
          id: invocation,
          about: `${agent} ${agentEvent}`
        })),
        invocations
      )
    : Either.left(
        new CliError({
          what: `"${ref}"`,
          reason: "names what a transcript told, and this needs a call that hooks recorded",
          remedy: 'Take one from "hooktape log" without a t before it.'
        })
      )

const jobs: Words = {
  stream: "job/",
  none: {
    reason: "the log holds no job yet",
    remedy: "A hook with `background: true` makes one."
  },
  unknown: { reason: "no job has this id", remedy: 'Take one from "hooktape jobs list", or "last".' }
}

/** `candidates` in the order of the log. */
export const resolveJob = (
  ref: string,
  candidates: readonly { readonly job: string; readonly kind: string; readonly handler: string | null }[]
): Either.Either<string, CliError> =>
  resolveId(
    ref,
    candidates.map(({ handler, job, kind }) => ({ id: job, about: handler ?? kind })),
    jobs
  )
