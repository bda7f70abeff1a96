/** One batch of an installation: checked, appended, answered. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Batch, Conflict, Taken } from "../../shipping/Batch.ts"
import { checkFacts, isParked } from "./checkFact.ts"

export type Received =
  | { readonly status: 200; readonly body: Taken }
  | { readonly status: 401 }
  | { readonly status: 409; readonly body: Conflict }

interface Appended {
  readonly status: "ok" | "unknown" | "gap" | "fork" | "epoch"
  /** bigint comes as text. */
  readonly head: string
  readonly newest: number
}

/** `token`: its digest. Whether it is still good is asked in the transaction that appends. */
export const receive = Effect.fn("collector.receive")(function* (token: Buffer, batch: Batch) {
  const sql = yield* SqlClient.SqlClient
  const { after, afterId, epoch, upto } = batch
  const rows = checkFacts(batch.facts, after, upto)
  const facts = JSON.stringify(rows)
  const [answer] = yield* sql<Appended>`SELECT status, head, newest
    FROM hooktape.append(${token}, ${epoch}, ${after}, ${afterId}, ${upto}, ${facts}::jsonb)`
  if (answer === undefined) return yield* Effect.dieMessage("append answered nothing")
  const { newest, status } = answer
  const head = Number(answer.head)
  if (status === "unknown") return { status: 401 } satisfies Received
  if (status !== "ok") return { status: 409, body: { reason: status, head, newest } } satisfies Received
  const parked = rows.flatMap((row, at) => (isParked(row) ? [{ at, problem: row.problem }] : []))
  return { status: 200, body: { head, parked } } satisfies Received
})

/** Before a body is read: what nobody proved anything for costs nothing. */
export const isAuthorised = Effect.fn("collector.isAuthorised")(function* (token: Buffer) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ yes: boolean }>`SELECT hooktape.authorised(${token}) AS yes`
  return row?.yes === true
})
