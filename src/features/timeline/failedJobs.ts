/** Work after replies that failed: it fails when its call is long over, so that nobody sees it who looks at calls alone. */
import type { Asked } from "../../log/reader.ts"

export interface FailedAttempt {
  /** Of the fact that tells of it. */
  readonly position: number
  readonly hook: string
}

/** Attempts of a project's jobs that failed behind a place of the log, in order. */
export const failedAttempts = (
  db: Asked,
  { after, project, upTo }: { readonly after: number; readonly upTo: number; readonly project: string }
): readonly FailedAttempt[] =>
  db
    .prepare(
      `SELECT facts.position AS position, jobs.hook AS hook FROM facts
        JOIN timeline_jobs AS jobs ON jobs.job = substr(facts.stream, 5)
        WHERE facts.stream GLOB 'job/*' AND facts.position > ? AND facts.position <= ? AND facts.type = 'JOB_FAILED' AND jobs.project = ? ORDER BY 1`
    )
    .all(after, upTo, project) as readonly FailedAttempt[]

/** Calls of which work after the reply failed for good, by their positions. */
export const callsOfDeadJobs = `SELECT calls.position FROM timeline_jobs AS jobs
    JOIN timeline_calls AS calls ON calls.invocation = jobs.invocation WHERE jobs.state = 'dead'`

/** What failed for good after the reply of a call, the first of it, as JSON of a `GivenUp`; of `timeline_calls AS calls`. */
export const givenUpOfCall = `(SELECT json_object('by', hook, 'reason', error) FROM timeline_jobs AS jobs
    WHERE jobs.invocation = calls.invocation AND jobs.state = 'dead' ORDER BY jobs.position, job LIMIT 1)`

/** The hook of the newest job that came to nothing since some time. */
export const lastDeadSince = (db: Asked, since: number): string | undefined =>
  (
    db
      .prepare(
        "SELECT hook FROM timeline_jobs WHERE state = 'dead' AND at >= ? ORDER BY at DESC, position DESC LIMIT 1"
      )
      .all(since) as readonly { readonly hook: string }[]
  )[0]?.hook

/** How many jobs came to nothing since some time. */
export const deadSince = (db: Asked, since: number): number =>
  (
    db
      .prepare("SELECT count(*) AS dead FROM timeline_jobs WHERE state = 'dead' AND at >= ?")
      .all(since) as readonly [{ readonly dead: number }]
  )[0].dead
