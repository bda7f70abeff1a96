/** Makes a log long in no time: its first fact again and again, as the tables have it. */
import { openPlainly } from "./plainSqlite.ts"

export const lengthen = (file: string, facts: number): void => {
  const db = openPlainly(file)
  try {
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${facts})
      INSERT INTO recorded (id, stream, stream_version, kind, occurred_at, recorded_at, marks, data)
      SELECT lower(hex(randomblob(16))), stream,
        (SELECT max(stream_version) FROM recorded AS r WHERE r.stream = recorded.stream) + i,
        kind, occurred_at, recorded_at, marks, data
      FROM n, recorded WHERE position = 1`)
  } finally {
    db.close()
  }
}
