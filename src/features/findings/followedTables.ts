/**
 * What is followed of each session while its findings are worked out: a row for each problem and for each thing that was done, so that
 * a fact costs the same however much was done before it.
 */
import type { Database } from "better-sqlite3"
import { type Chain, isFollowed } from "../chains/Chain.ts"
import { asRead } from "../chains/chainRows.ts"
import type { ChainStore } from "../chains/follow.ts"
import { type Scope, scopeKey } from "../chains/scopeKey.ts"
import { parsed, sessionRows } from "../chains/sessionRows.ts"

export const createFollowed = [
  "CREATE TABLE findings_sessions (scope TEXT PRIMARY KEY, at REAL NOT NULL, calls TEXT) WITHOUT ROWID",
  `CREATE TABLE findings_chains (
    row INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    chain TEXT NOT NULL,
    UNIQUE (scope, id)
  )`,
  "CREATE TABLE findings_steps (scope TEXT NOT NULL, n INTEGER NOT NULL, step TEXT NOT NULL, PRIMARY KEY (scope, n)) WITHOUT ROWID"
]

/** Of a session that never ended no more is heard. */
const longestMs = 7 * 86_400_000

export interface FollowedTables {
  /** As whoever follows this session sees it: each session is worked out for itself. */
  readonly of: (scope: Scope) => ChainStore
  /** Something was heard of the session. */
  readonly heard: (scope: string, at: number) => void
  readonly forget: (scope: string) => void
  /** Writes what was held in memory of this round. */
  readonly flush: () => void
  /** Sessions of which nothing was heard for a week before `now`. */
  readonly forgetOld: (now: number) => void
  /** Sessions of which the log has nothing any more. */
  readonly forgetGone: () => void
}

/** No fact names it any more. */
const gone = `SELECT scope FROM findings_sessions WHERE json_array_length(scope) = 1
  AND NOT EXISTS (SELECT 1 FROM marks WHERE session = scope ->> 0)`

const makeForget = (db: Database) => {
  const removals = ["findings_sessions", "findings_chains", "findings_steps"].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE scope = ?`)
  )
  const old = db.prepare<[number], string>("SELECT scope FROM findings_sessions WHERE at < ?").pluck()
  const forget = (scope: string): void => {
    for (const removal of removals) removal.run(scope)
  }
  return {
    forget,
    forgetOld: (now: number): void => old.all(now - longestMs).forEach(forget),
    // Rarely asked, and of the log's own tables.
    forgetGone: (): void => db.prepare<[], string>(gone).pluck().all().forEach(forget)
  }
}

export const followedTables = (db: Database): FollowedTables => {
  const texts = (sql: string) => db.prepare<unknown[], string>(sql).pluck()
  const run = (sql: string) => db.prepare<unknown[]>(sql)
  const rows = sessionRows(db, {
    steps: "findings_steps",
    readCalls: "SELECT calls FROM findings_sessions WHERE scope = ? AND calls IS NOT NULL",
    writeCalls:
      "INSERT INTO findings_sessions VALUES (?, 0, ?) ON CONFLICT (scope) DO UPDATE SET calls = excluded.calls"
  })
  const heard = run(
    "INSERT INTO findings_sessions VALUES (?, ?, NULL) ON CONFLICT (scope) DO UPDATE SET at = excluded.at"
  )
  const chainsOf = texts("SELECT chain FROM findings_chains WHERE scope = ? ORDER BY row")
  const putChain = run(
    `INSERT INTO findings_chains (scope, id, chain) VALUES (?, ?, ?)
      ON CONFLICT (scope, id) DO UPDATE SET chain = excluded.chain`
  )
  const removeChain = run("DELETE FROM findings_chains WHERE scope = ? AND id = ?")
  /** Of each scope that was asked for: those that are followed, in the order in which they were opened. */
  const held = new Map<string, Map<string, Chain>>()
  /** Ids of those that have moved, by scope. */
  const changed = new Map<string, Set<string>>()
  const chainsIn = (scope: string): Map<string, Chain> => {
    const known = held.get(scope)
    if (known !== undefined) return known
    const read = new Map(
      chainsOf.all(scope).map((text) => {
        const chain = parsed<Chain>(text)
        return [chain.id, chain]
      })
    )
    held.set(scope, read)
    changed.set(scope, new Set())
    return read
  }
  const followed: ChainStore["followed"] = (scope) => [...chainsIn(scopeKey(scope)).values()]
  const writeChain = (scope: string, id: string): void => {
    const chain = held.get(scope)?.get(id)
    if (chain === undefined) removeChain.run(scope, id)
    else putChain.run(scope, id, JSON.stringify(chain))
  }
  const flush = (): void => {
    rows.flush()
    for (const [scope, ids] of changed) for (const id of ids) writeChain(scope, id)
    held.clear()
    changed.clear()
  }
  const store: Omit<ChainStore, "stale"> = {
    ...rows,
    followed,
    // Of whichever session is told of first: another order of the same would find other things.
    isCopied: () => false,
    put: (chain) => {
      const scope = scopeKey(chain)
      const those = chainsIn(scope)
      if (isFollowed(chain)) those.set(chain.id, asRead(chain))
      else those.delete(chain.id)
      changed.get(scope)?.add(chain.id)
    }
  }
  const { forget, ...rest } = makeForget(db)
  return {
    ...rest,
    forget: (scope) => {
      rows.drop(scope)
      held.delete(scope)
      changed.delete(scope)
      forget(scope)
    },
    flush,
    of: (scope) => ({
      ...store,
      stale: (project, before) =>
        followed(scope).filter((chain) => chain.project === project && chain.moved < before)
    }),
    heard: (scope, at) => void heard.run(scope, at)
  }
}
