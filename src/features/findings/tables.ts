/** Findings of the payloads on a log, in its own file: worked out in moments in which nobody waits, shipped from here. */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../../events/facts.ts"
import type { Findings } from "../../../events/findings.ts"
import type { FactFold, FactPlace, Projection } from "../../log/projection.ts"
import { scopeKey } from "../chains/scopeKey.ts"
import type { Hide } from "../metrics/foundMoments.ts"
import { type Followed, findIn } from "./findIn.ts"
import { findingsTables, findingsVersion } from "./version.ts"

const create = [
  "CREATE TABLE findings (position INTEGER PRIMARY KEY, found TEXT NOT NULL)",
  "CREATE TABLE findings_sessions (scope TEXT PRIMARY KEY, at REAL NOT NULL, followed TEXT NOT NULL) WITHOUT ROWID"
]

const drop = findingsTables.map((table) => `DROP TABLE IF EXISTS ${table}`)

/** A collector that was put back asks for what it had, and machines keep so much of it at hand: positions. */
const keptBehind = 100_000
/** Of a session that never ended no more is heard. */
const longestMs = 7 * 86_400_000

const isNothing = (findings: Findings): boolean => Object.keys(findings).length === 0

/** `shippedBy`: the mark of who ships them. */
const makeFold = (db: Database, hide: Hide, shippedBy: string): FactFold => {
  const readSession = db
    .prepare<[string], string>("SELECT followed FROM findings_sessions WHERE scope = ?")
    .pluck()
  const writeSession = db.prepare(
    `INSERT INTO findings_sessions VALUES (?, ?, ?)
      ON CONFLICT (scope) DO UPDATE SET at = excluded.at, followed = excluded.followed`
  )
  const removeSession = db.prepare("DELETE FROM findings_sessions WHERE scope = ?")
  const removeOld = db.prepare("DELETE FROM findings_sessions WHERE at < ?")
  const add = db.prepare("INSERT OR REPLACE INTO findings VALUES (?, ?)")
  const prune = db.prepare(
    "DELETE FROM findings WHERE position < (SELECT position FROM checkpoints WHERE name = ?) - ?"
  )
  const sessions = new Map<string, { readonly at: number; readonly followed: Followed | undefined }>()
  let newest = 0

  const followedIn = (scope: string): Followed | undefined => {
    const known = sessions.get(scope)
    if (known !== undefined) return known.followed
    const text = readSession.get(scope)
    return text === undefined ? undefined : (JSON.parse(text) as Followed)
  }

  const take = (fact: Fact, place: FactPlace): void => {
    if (fact.type !== "PAYLOAD_BUFFERED" || fact.missing !== undefined) return
    const scope = scopeKey(place)
    const { findings, followed } = findIn(followedIn(scope), fact, place, hide)
    if (!isNothing(findings)) add.run(place.position, JSON.stringify(findings))
    const isOver = fact.events[0]?.event === "session.end"
    sessions.set(scope, { at: place.at, followed: isOver ? undefined : followed })
    newest = Math.max(newest, place.at)
  }

  const finish = (): void => {
    for (const [scope, { at, followed }] of sessions)
      if (followed === undefined) removeSession.run(scope)
      else writeSession.run(scope, at, JSON.stringify(followed))
    sessions.clear()
    if (newest > 0) removeOld.run(newest - longestMs)
    prune.run(shippedBy, keptBehind)
  }
  return Object.assign(take, { finish })
}

export const findingsProjection = (hide: Hide, shippedBy: string): Projection => ({
  ...findingsVersion,
  types: ["PAYLOAD_BUFFERED"],
  table: "findings",
  anew: [...drop, ...create],
  makeFold: (db) => makeFold(db, hide, shippedBy)
})
