/** Takes a text out of the rows of the SQLite log, in the caller's transaction: a page at a time, blobs as well. */
import type { Connection } from "@effect/sql/SqlConnection"
import * as Effect from "effect/Effect"
import type { FactId } from "../../events/ids.ts"
import type { RedactedFact } from "./EventLog.ts"
import { values } from "./sqliteRead.ts"
import { blobHash, isLong } from "./sqliteRows.ts"
import { plainPart, withoutText, writingsOf } from "./withoutText.ts"

const perPage = 200

const candidates = `SELECT position, recorded.id, name, coalesce(recorded.data, blobs.data), blob
  FROM recorded
  JOIN streams ON streams.id = recorded.stream
  LEFT JOIN blobs ON hash = blob
  WHERE position > ? AND instr(coalesce(recorded.data, blobs.data), ?)
  ORDER BY position LIMIT ${perPage}`

export const redactRows = Effect.fn("EventLog.redactRows")(function* (db: Connection, text: string) {
  const writings = writingsOf(text)
  // An empty text is in every text: then all are looked at.
  const plain = plainPart(text)
  const changed: RedactedFact[] = []
  const replaced = new Set<unknown>()
  for (let after = 0; ; ) {
    const page = yield* values(db, candidates, [after, plain])
    for (const [position, id, stream, data, blob] of page) {
      after = Number(position)
      const before = JSON.parse(String(data))
      const redacted = JSON.stringify(withoutText(before, writings))
      if (redacted === JSON.stringify(before)) continue
      const hash = isLong(redacted) ? blobHash(redacted) : null
      if (hash !== null) yield* db.executeRaw("INSERT OR IGNORE INTO blobs VALUES (?, ?)", [hash, redacted])
      yield* db.executeRaw("UPDATE recorded SET data = ?, blob = ? WHERE position = ?", [
        hash === null ? redacted : null,
        hash,
        position
      ])
      if (blob !== null) replaced.add(blob)
      changed.push({ id: id as FactId, stream: String(stream) })
    }
    if (page.length < perPage) break
  }
  yield* db.executeRaw(
    `DELETE FROM blobs WHERE hash IN (SELECT value FROM json_each(?))
      AND NOT EXISTS (SELECT 1 FROM recorded WHERE recorded.blob = blobs.hash)`,
    [JSON.stringify([...replaced])]
  )
  return changed as readonly RedactedFact[]
})
