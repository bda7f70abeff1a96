/** What installations prove themselves with. The database has digests only: a token is seen once, when it is made. */
import { createHash, randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

export const tokenName = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/

const prefix = "hooktape_"

export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest()

/** Of an installation that has one already it is one more, so that the old one can be revoked once the new one is in place. */
export const addToken = Effect.fn("collector.tokens.add")(function* (name: string, tenant: string) {
  const sql = yield* SqlClient.SqlClient
  const token = `${prefix}${randomBytes(32).toString("base64url")}`
  yield* sql`INSERT INTO hooktape.token ${sql.insert({ hash: tokenHash(token), name, tenant })}`
  return token
})

export interface TokenRow {
  readonly name: string
  readonly tenant: string
  readonly made: Date
  readonly revoked: Date | null
  /** When facts came last from this installation, with whichever token. */
  readonly heard: Date | null
}

export const listTokens = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<TokenRow>`SELECT t.name, t.tenant, t.made, t.revoked,
      (SELECT max(i.heard) FROM hooktape.installation i WHERE i.tenant = t.tenant AND i.name = t.name) AS heard
    FROM hooktape.token t ORDER BY t.name, t.tenant, t.made`
})

/** All that the installation of this tenant had; how many those were. */
export const revokeTokens = Effect.fn("collector.tokens.revoke")(function* (name: string, tenant: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`UPDATE hooktape.token SET revoked = now()
    WHERE name = ${name} AND tenant = ${tenant} AND revoked IS NULL RETURNING 1`
  return rows.length
})
