/** Who serves, and how far the log goes. */
import type { Status } from "../contract/live.ts"
import { failingHooks } from "./calls.ts"
import { lastPosition } from "./facts.ts"
import { unwell } from "./health.ts"
import { numberOf, row, type Source } from "./Source.ts"
import { countSessions, openSessions } from "./sessions.ts"

export const status = (
  source: Source,
  { agents, host, onlyLooks }: Pick<Status, "agents" | "host"> & { readonly onlyLooks: boolean }
): Status => {
  const ends = row<{ readonly first: number | null; readonly last: number | null }>(
    source,
    "SELECT (SELECT min(at) FROM timeline_calls WHERE own = 0) AS first, (SELECT max(at) FROM timeline_calls WHERE own = 0) AS last"
  )
  return {
    version: source.version,
    now: source.now,
    position: lastPosition(source),
    calls: numberOf(source, "SELECT count(*) AS n FROM timeline_calls WHERE own = 0"),
    sessions: countSessions(source),
    openSessions: openSessions(source),
    failingHooks: failingHooks(source).length,
    unwell: unwell(source),
    agents,
    host,
    first: ends?.first ?? null,
    last: ends?.last ?? null,
    ...(onlyLooks ? { onlyLooks } : {})
  }
}
