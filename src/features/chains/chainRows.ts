/** The store of the chains' own tables. Within a round chains are in memory, where every fact asks for them, and those that have moved are written once. */
import type { Database } from "better-sqlite3"
import { type Chain, isFollowed } from "./Chain.ts"
import { errorLine } from "./fix.ts"
import type { ChainStore } from "./follow.ts"
import { scopeKey } from "./scopeKey.ts"
import { parsed, sessionRows } from "./sessionRows.ts"

export const followedStates = "state IN ('open', 'attempted', 'cleared')"

export interface ChainRows extends ChainStore {
  readonly named: (id: string) => Chain | undefined
  /** All that is kept of a session, before it is followed anew. */
  readonly forget: (scope: string) => void
  /** Writes what was held, and holds nothing more. */
  readonly flush: () => void
}

interface Moved {
  /** As it was put first: what a row says of its beginning stays. */
  readonly first: Chain
  readonly last: Chain
}

/** As its row is read: what it has not is no member of it, so that its text is the same however many facts a round takes in. */
export const asRead = (chain: Chain): Chain =>
  Object.fromEntries(Object.entries(chain).filter(([, value]) => value !== undefined)) as unknown as Chain

export const chainRows = (db: Database): ChainRows => {
  const texts = (sql: string) => db.prepare<unknown[], string>(sql).pluck()
  const followed = texts(`SELECT chain FROM chains WHERE ${followedStates} AND scope = ? ORDER BY row`)
  const stale = texts(
    `SELECT chain FROM chains WHERE ${followedStates} AND project IS ? AND moved < ? ORDER BY row`
  )
  const firstMoved = db
    .prepare<[string | null], number | null>(
      `SELECT min(moved) FROM chains WHERE ${followedStates} AND project IS ?`
    )
    .pluck()
  const named = texts("SELECT chain FROM chains WHERE id = ?")
  const rows = sessionRows(db, {
    steps: "chain_steps",
    readCalls: "SELECT calls FROM chain_calls WHERE scope = ?",
    writeCalls:
      "INSERT INTO chain_calls VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET calls = excluded.calls"
  })
  const isCopied = db.prepare("SELECT 1 FROM chain_sightings WHERE tool_use_id = ? AND scope <> ?")
  const sighted = db.prepare("INSERT OR IGNORE INTO chain_sightings VALUES (?, ?)")
  const put = db.prepare(
    `INSERT INTO chains (id, position, project, session, scope, state, opened, moved, signature, pattern, message, chain)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, moved = excluded.moved, chain = excluded.chain`
  )
  const removals = ["chains", "chain_sightings", "chain_calls", "chain_steps"].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE scope = ?`)
  )
  /** Those that are followed, of each scope that was asked for, in the order in which they were opened. */
  const held = new Map<string, Map<string, Chain>>()
  /** In the order in which they were put first, which is that of their rows. */
  const changed = new Map<string, Moved>()
  /** Of each project: none of its chains that are followed has moved before. */
  const unmoved = new Map<string | null, number>()
  /** The last sighting of each chain, which is on its table. */
  const seen = new Map<string, string>()

  const write = (): void => {
    for (const { first, last } of changed.values()) {
      const { id, opened, pattern, position, project, session, signature } = first
      const [scope, message] = [scopeKey(first), errorLine(first)]
      const { moved, state } = last
      const text = JSON.stringify(last)
      put.run(id, position, project, session, scope, state, opened, moved, signature, pattern, message, text)
    }
    changed.clear()
  }

  const followedIn = (scope: string): Map<string, Chain> => {
    const known = held.get(scope)
    if (known !== undefined) return known
    write()
    const read = new Map(
      followed.all(scope).map((text) => {
        const chain = parsed<Chain>(text)
        return [chain.id, chain]
      })
    )
    held.set(scope, read)
    return read
  }

  /** One that is followed again has its place among the others by its row. */
  const hold = (chain: Chain, scope: string, isKnown: boolean): void => {
    const those = held.get(scope)
    if (those === undefined) return
    if (!isFollowed(chain)) those.delete(chain.id)
    else if (those.has(chain.id) || !isKnown) those.set(chain.id, chain)
    else held.delete(scope)
  }

  const putChain = (given: Chain): void => {
    const chain = asRead(given)
    const { id, moved, project, sightings } = chain
    const scope = scopeKey(chain)
    const before = changed.get(id)
    const isHeld = held.get(scope)?.has(id) === true
    const isKnown = isHeld || before !== undefined || named.get(id) !== undefined
    changed.set(id, { first: before?.first ?? chain, last: chain })
    hold(chain, scope, isKnown)
    const first = unmoved.get(project)
    if (first !== undefined && moved < first) unmoved.set(project, moved)
    const use = sightings.at(-1)?.toolUseId
    if (use === undefined || seen.get(id) === use) return
    sighted.run(use, scope)
    seen.set(id, use)
  }

  const staleBefore = (project: string | null, before: number): readonly Chain[] => {
    const first = unmoved.get(project)
    if (first !== undefined && first >= before) return []
    write()
    unmoved.set(project, firstMoved.get(project) ?? Number.POSITIVE_INFINITY)
    return stale.all(project, before).map((text) => parsed<Chain>(text))
  }

  const flush = (): void => {
    write()
    rows.flush()
    for (const known of [held, unmoved, seen]) known.clear()
  }

  return {
    ...rows,
    followed: (scope) => [...followedIn(scopeKey(scope)).values()],
    stale: staleBefore,
    isCopied: (toolUseId, scope) => isCopied.get(toolUseId, scopeKey(scope)) !== undefined,
    put: putChain,
    named: (id) => {
      const text = changed.has(id) ? undefined : named.get(id)
      return text === undefined ? changed.get(id)?.last : parsed<Chain>(text)
    },
    forget: (scope) => {
      flush()
      for (const one of removals) one.run(scope)
    },
    flush
  }
}
