/** Work after the reply, the newest first. */
import type { Call } from "../contract/call.ts"
import type { JobRow, Jobs, JobsQuery } from "../contract/hooks.ts"
import { numberOf, part, rows, type Source } from "./Source.ts"

interface Row extends Omit<JobRow, "kind" | "maxAttempts" | "retryAt"> {
  readonly kind: string | null
  readonly maxAttempts: number | null
  readonly retryAt: number | null
}

/** What its first fact says, and the last failure. */
const columns = `SELECT job, position, invocation, hook, project, at, state, attempts, ms, error,
    (SELECT coalesce(recorded.data, blobs.data) ->> 'kind' FROM recorded LEFT JOIN blobs ON blobs.hash = recorded.blob
      WHERE recorded.position = jobs.position) AS kind,
    (SELECT coalesce(recorded.data, blobs.data) ->> 'maxAttempts' FROM recorded LEFT JOIN blobs ON blobs.hash = recorded.blob
      WHERE recorded.position = jobs.position) AS maxAttempts,
    CASE WHEN state = 'waiting' THEN (SELECT recorded.data ->> 'retryAt' FROM recorded
      WHERE recorded.stream = (SELECT id FROM streams WHERE name = 'job/' || job)
        AND recorded.kind IN (SELECT id FROM kinds WHERE type = 'JOB_FAILED') ORDER BY stream_version DESC LIMIT 1) END AS retryAt
  FROM timeline_jobs AS jobs`

export const listJobs = (source: Source, query: typeof JobsQuery.Type): Jobs => {
  const upTo = query.upTo ?? numberOf(source, "SELECT max(position) AS n FROM timeline_jobs")
  const { limit, offset } = part(query)
  const where = "position <= ? AND (? IS NULL OR state = ?) AND (? IS NULL OR hook = ?)"
  const values = [upTo, query.state ?? null, query.state ?? null, query.hook ?? null, query.hook ?? null]
  const states = rows<{ readonly state: Call["jobs"][number]["state"]; readonly many: number }>(
    source,
    "SELECT state, count(*) AS many FROM timeline_jobs GROUP BY state"
  )
  return {
    total: numberOf(source, `SELECT count(*) AS n FROM timeline_jobs WHERE ${where}`, ...values),
    upTo,
    offset,
    jobs: rows<Row>(
      source,
      `${columns} WHERE ${where} ORDER BY position DESC, job LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset
    ).map((one) => ({ ...one, kind: one.kind ?? "hook" })),
    states: Object.fromEntries(states.map(({ many, state }) => [state, many]))
  }
}
