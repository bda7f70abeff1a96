/** What came onto the log since a position: the calls as they stand now, and the facts. */
import { findCalls } from "../../timeline/find.ts"
import type { StreamEvents } from "../contract/stream.ts"
import { factRow, factsAfter } from "./facts.ts"
import { numberOf, rows, type Source } from "./Source.ts"

/** More do not follow: who was away for so long reads anew. */
export const mostMissed = 1000

export interface Span {
  readonly after: number
  readonly upTo: number
  readonly session: string | undefined
}

export const missedSince = (source: Source, after: number): number =>
  numberOf(source, "SELECT count(*) AS n FROM recorded WHERE position > ?", after)

/** Invocations with a fact in it, and those that a job of theirs has one in. */
const touched = (source: Source, { after, upTo }: Span): readonly string[] =>
  rows<{ readonly invocation: string }>(
    source,
    `WITH moved AS (SELECT DISTINCT streams.name AS name FROM recorded JOIN streams ON streams.id = recorded.stream
        WHERE recorded.position > ? AND recorded.position <= ?)
      SELECT substr(name, 12) AS invocation FROM moved WHERE name LIKE 'invocation/%'
      UNION SELECT invocation FROM moved JOIN timeline_jobs ON name = 'job/' || job WHERE invocation IS NOT NULL`,
    after,
    upTo
  ).map(({ invocation }) => invocation)

export const callsMoved = (source: Source, span: Span): StreamEvents["calls"] => ({
  position: span.upTo,
  calls: touched(source, span)
    .flatMap((invocation) => findCalls(source.db, { invocation, limit: 1 }, source.now))
    .filter(({ session }) => span.session === undefined || session === span.session)
    .sort((a, b) => a.position - b.position)
})

export const factsMoved = (source: Source, { after, session, upTo }: Span): StreamEvents["facts"] => ({
  position: upTo,
  facts: factsAfter(source, after, mostMissed, session)
    .filter(({ position }) => position <= upTo)
    .map(factRow)
})
