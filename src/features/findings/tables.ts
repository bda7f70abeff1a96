/** Findings of the payloads on a log, in its own file: worked out in moments in which nobody waits, shipped from here. */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../../events/facts.ts"
import type { Findings } from "../../../events/findings.ts"
import type { FactFold, FactPlace, Projection } from "../../log/projection.ts"
import { follow } from "../chains/follow.ts"
import { followedTypes } from "../chains/happened.ts"
import { scopeKey } from "../chains/scopeKey.ts"
import type { Hide } from "../metrics/foundMoments.ts"
import { findIn } from "./findIn.ts"
import { createFollowed, followedTables } from "./followedTables.ts"
import { findingsTables, findingsVersion } from "./version.ts"

const create = [
  "CREATE TABLE findings (position INTEGER PRIMARY KEY, found TEXT NOT NULL)",
  ...createFollowed
]

const drop = findingsTables.map((table) => `DROP TABLE IF EXISTS ${table}`)

/** A collector that was put back asks for what it had, and machines keep so much of it at hand: positions. */
const keptBehind = 100_000

const isNothing = (findings: Findings): boolean => Object.keys(findings).length === 0

/** `shippedBy`: the mark of who ships them. */
const makeFold = (db: Database, hide: Hide, shippedBy: string): FactFold => {
  const followed = followedTables(db)
  const add = db.prepare("INSERT OR REPLACE INTO findings VALUES (?, ?)")
  const prune = db.prepare(
    "DELETE FROM findings WHERE position < (SELECT position FROM checkpoints WHERE name = ?) - ?"
  )
  const heard = new Map<string, number>()
  let newest = 0

  const take = (fact: Fact, place: FactPlace): void => {
    if (fact.type === "REPLY_DELIVERED") follow(followed.of(place), fact, place)
    if (fact.type !== "PAYLOAD_BUFFERED" || fact.missing !== undefined) return
    const scope = scopeKey(place)
    const findings = findIn(followed.of(place), fact, place, hide)
    if (!isNothing(findings)) add.run(place.position, JSON.stringify(findings))
    newest = Math.max(newest, place.at)
    if (fact.events[0]?.event === "session.end") {
      heard.delete(scope)
      followed.forget(scope)
    } else heard.set(scope, place.at)
  }

  const finish = (): void => {
    followed.flush()
    for (const [scope, at] of heard) followed.heard(scope, at)
    if (newest > 0) followed.forgetOld(newest)
    prune.run(shippedBy, keptBehind)
  }
  return Object.assign(take, { finish })
}

/** Of facts that are gone, whoever took them: nobody ships them any more. */
const dropGone = (db: Database): void => {
  db.exec("DELETE FROM findings WHERE position NOT IN (SELECT position FROM recorded)")
  followedTables(db).forgetGone()
}

export const findingsProjection = (hide: Hide, shippedBy: string): Projection => ({
  ...findingsVersion,
  types: followedTypes,
  table: "findings",
  anew: [...drop, ...create],
  shorten: dropGone,
  makeFold: (db) => makeFold(db, hide, shippedBy)
})
