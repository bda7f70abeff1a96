/** The tables in which chains are kept: a projection in the log's own file. */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../../events/facts.ts"
import type { Findings } from "../../../events/findings.ts"
import type { FactFold, FactPlace, Projection } from "../../log/projection.ts"
import type { Buffered } from "../checks/observe.ts"
import { type ChainRows, chainRows, followedStates } from "./chainRows.ts"
import { eventTableNames, eventTables, makeEvents } from "./events.ts"
import { chainsVersion } from "./find.ts"
import { type ChainStore, followHappened, invocationOf, leaveStale } from "./follow.ts"
import { isMovedBySigns, signed } from "./foundSigns.ts"
import { followedTypes, happenedIn } from "./happened.ts"
import { endedUnseen } from "./SessionCalls.ts"

/** What a transcript tells of calls and turns. */
const observedTypes = ["TOOL_CALL_OBSERVED", "TOOL_CALL_SETTLED", "PROMPT_OBSERVED", "TURN_INTERRUPTED"]

const create = [
  `CREATE TABLE chains (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    project TEXT,
    session TEXT,
    scope TEXT NOT NULL,
    state TEXT NOT NULL,
    opened REAL NOT NULL,
    moved REAL NOT NULL,
    signature TEXT NOT NULL,
    pattern TEXT NOT NULL,
    message TEXT NOT NULL,
    chain TEXT NOT NULL
  )`,
  `CREATE INDEX chains_followed ON chains (project, moved) WHERE ${followedStates}`,
  `CREATE INDEX chains_of_scope ON chains (scope) WHERE ${followedStates}`,
  "CREATE INDEX chains_opened ON chains (opened)",
  "CREATE INDEX chains_signature ON chains (signature, opened)",
  "CREATE INDEX chains_pattern ON chains (pattern, opened)",
  "CREATE INDEX chains_all_of_scope ON chains (scope)",
  "CREATE TABLE chain_sightings (tool_use_id TEXT NOT NULL, scope TEXT NOT NULL, PRIMARY KEY (tool_use_id, scope)) WITHOUT ROWID",
  "CREATE TABLE chain_calls (scope TEXT PRIMARY KEY, calls TEXT NOT NULL) WITHOUT ROWID",
  "CREATE TABLE chain_steps (scope TEXT NOT NULL, n INTEGER NOT NULL, step TEXT NOT NULL, PRIMARY KEY (scope, n)) WITHOUT ROWID",
  `CREATE VIRTUAL TABLE chains_text USING fts5 (
    message, content = 'chains', content_rowid = 'row', tokenize = 'porter unicode61 remove_diacritics 2'
  )`,
  `CREATE TRIGGER chains_added AFTER INSERT ON chains BEGIN
    INSERT INTO chains_text (rowid, message) VALUES (new.row, new.message);
  END`,
  `CREATE TRIGGER chains_removed AFTER DELETE ON chains BEGIN
    INSERT INTO chains_text (chains_text, rowid, message) VALUES ('delete', old.row, old.message);
  END`,
  "CREATE INDEX chain_sightings_scope ON chain_sightings (scope)",
  ...eventTables
]

const drop = [
  "DROP TRIGGER IF EXISTS chains_added",
  "DROP TRIGGER IF EXISTS chains_removed",
  ...["chains_text", "chains", "chain_sightings", "chain_calls", "chain_steps", ...eventTableNames].map(
    (table) => `DROP TABLE IF EXISTS ${table}`
  )
]

/** What its machine found in a fact: all that is known of one without its payload; of others it moves the chains that no payload does. */
const makeFound =
  (store: ChainRows) =>
  (found: Findings, place: FactPlace, isAlone: boolean): void => {
    leaveStale(store, place.project, place.at)
    for (const one of found.signs ?? []) {
      const before = store.named(one.chain ?? "")
      if (!isAlone && (before === undefined || !isMovedBySigns(before))) continue
      const next = signed(before, found, one, place)
      if (next !== undefined) store.put(next.chain, next.sign)
    }
  }

const ends = new Set(["tool.after", "tool.failure"])

/** A call of which the beginning came with its payload, and the end without, goes on no more. */
const overUnseen = (store: ChainStore, { events, toolUseId }: Buffered, place: FactPlace): void => {
  const calls = store.calls(place)
  if (calls === undefined || toolUseId === null || !ends.has(events[0]?.event ?? "")) return
  store.putCalls(place, endedUnseen(calls, toolUseId))
}

const makeFold = (db: Database): FactFold => {
  const store = chainRows(db)
  const { finish, hooked, observed, rest } = makeEvents(db, store)
  const found = makeFound(store)
  const take = (fact: Fact, place: FactPlace) => {
    const isCall = fact.type === "PAYLOAD_BUFFERED"
    if (!isCall && fact.type !== "REPLY_DELIVERED") return observed(fact, place)
    if (isCall && fact.missing !== undefined) {
      overUnseen(store, fact, place)
      return found(fact.findings ?? {}, place, true)
    }
    // First: what the signs have shown is not found a second time.
    if (isCall && fact.findings !== undefined) found(fact.findings, place, false)
    const invocation = invocationOf(place.stream)
    const happened = happenedIn(fact, place.agent, invocation)
    if (happened === undefined || hooked(fact, place, happened)) return
    followHappened(store, happened, place, invocation)
  }
  return Object.assign(take, {
    finish: () => {
      finish()
      store.flush()
    },
    rest: (most: number) => {
      const isMore = rest(most)
      store.flush()
      return isMore
    }
  })
}

export const chainsProjection: Projection = {
  ...chainsVersion,
  types: [...followedTypes, ...observedTypes],
  table: "chains",
  anew: [...drop, ...create],
  makeFold
}
