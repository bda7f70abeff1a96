/** Owners that take whatever nobody else holds at the moment: no membership, no shards; a row's lock is the claim. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.ts"

interface Row {
  readonly projection: string
  readonly installation: number
  readonly position: string
  readonly head: string
}

export const skipLocked = Effect.map(
  SqlClient.SqlClient,
  (sql): Claim => ({
    due: (projections, most) =>
      Effect.map(
        sql<Row>`SELECT m.projection, m.installation, m.position, i.head
          FROM hooktape.mark m JOIN hooktape.installation i ON i.id = m.installation
          WHERE m.projection IN ${sql.in(projections)} AND i.head > m.position
          ORDER BY m.moved, m.installation LIMIT ${most} FOR UPDATE OF m SKIP LOCKED`,
        (rows) =>
          rows.map(({ head, installation, position, projection }) => ({
            projection,
            installation,
            position: Number(position),
            head: Number(head)
          }))
      )
  })
)
