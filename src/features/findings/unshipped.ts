/** How much of a fleet's log says nothing of what was done in it: its payloads were neither shipped nor worked out before. */
import type { Asked } from "../../log/reader.ts"

export interface Unshipped {
  /** Events of tool calls, of which there is something to say. */
  readonly calls: number
  /** Of these, those of which nothing is known but that they happened. */
  readonly without: number
}

const missing = "json_extract(recorded.data, '$.missing') IS NOT NULL"

export const unshippedIn = (db: Asked): Unshipped => {
  const [row] = db
    .prepare(
      `SELECT count(*) AS calls,
          coalesce(sum(${missing} AND json_extract(recorded.data, '$.findings') IS NULL), 0) AS without
        FROM recorded JOIN kinds ON kinds.id = recorded.kind JOIN marks ON marks.id = recorded.marks
        WHERE kinds.type = 'PAYLOAD_BUFFERED' AND recorded.data IS NOT NULL AND marks.session IS NOT NULL
          AND json_extract(recorded.data, '$.events[0].event') GLOB 'tool.*'`
    )
    .all() as readonly Unshipped[]
  return row ?? { calls: 0, without: 0 }
}
