/** What the timeline has come to know since it was looked at: calls that ended, and work after replies that failed. */

import { markOf } from "../../log/projectionMark.ts"
import type { Asked } from "../../log/reader.ts"
import type { Call } from "./Call.ts"
import { type FailedAttempt, failedAttempts } from "./failedJobs.ts"
import { findCalls } from "./find.ts"
import { timelineVersion } from "./tables.ts"

type Last = readonly [{ readonly last: number }]

/** Where the log ends. */
export const lastPosition = (db: Asked): number =>
  (db.prepare("SELECT coalesce(max(position), 0) AS last FROM recorded").all() as Last)[0].last

/** How far the tables tell the log: what follows it is another look's. */
const toldUpTo = (db: Asked): number =>
  (
    db
      .prepare("SELECT coalesce(max(position), 0) AS last FROM checkpoints WHERE name = ?")
      .all(markOf(timelineVersion)) as Last
  )[0].last

export interface News {
  /** In the order in which they ended. */
  readonly ended: readonly Call[]
  readonly attempts: readonly FailedAttempt[]
  /** Where the next look goes on. */
  readonly upTo: number
}

/** Of one project, behind a place of the log; undefined where there is nothing new. In one transaction. */
export const newsSince = (
  db: Asked,
  { after, project }: { readonly after: number; readonly project: string },
  now: number
): News | undefined => {
  const upTo = toldUpTo(db)
  // Tables that go less far are being made anew, or somebody else writes all the while; a log that does is another one.
  if (upTo === after || (upTo < after && lastPosition(db) >= after)) return undefined
  return {
    ended: findCalls(db, { endedAfter: after, own: false, project }, now),
    attempts: failedAttempts(db, { after, upTo, project }),
    upTo
  }
}
