/**
 * What happened in each session, by the time at which it did: a transcript may be read long after hooks told of the same session, or
 * before. Where it tells something that hooks did not, the session's chains are followed anew from its beginning, a piece at a time.
 */
import type { Database } from "better-sqlite3"
import type { Fact } from "../../../events/facts.ts"
import type { CallObserved } from "../../../events/observedFacts.ts"
import { factReader } from "../../log/factReader.ts"
import type { FactPlace } from "../../log/projection.ts"
import { type Observation, observedCall } from "../checks/observe.ts"
import type { ToolOutcome } from "../checks/ToolOutcome.ts"
import type { ChainRows } from "./chainRows.ts"
import { followHappened, invocationOf, leaveStale } from "./follow.ts"
import { happenedIn } from "./happened.ts"
import type { Happened } from "./SessionCalls.ts"
import { scopeKey } from "./scopeKey.ts"

export const eventTables = [
  // `source`: h of hooks, t of a transcript. `phase`: t a turn, b the beginning of a call, e its end, s what became of it later, o another.
  `CREATE TABLE chain_events (
    scope TEXT NOT NULL,
    at REAL NOT NULL,
    rank INTEGER NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    phase TEXT NOT NULL,
    position INTEGER NOT NULL,
    told TEXT,
    alike TEXT,
    PRIMARY KEY (scope, at, rank, id, source)
  ) WITHOUT ROWID`,
  "CREATE INDEX chain_events_id ON chain_events (scope, id, source, phase)",
  "CREATE INDEX chain_events_alike ON chain_events (scope, alike) WHERE alike IS NOT NULL",
  // A session of which a transcript told something. `dirty`: its chains have to be followed anew; the rest is how far that has come.
  `CREATE TABLE chain_sessions (
    scope TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    horizon REAL NOT NULL,
    dirty INTEGER NOT NULL,
    at REAL,
    rank INTEGER,
    id TEXT,
    source TEXT
  ) WITHOUT ROWID`,
  "CREATE INDEX chain_sessions_dirty ON chain_sessions (scope) WHERE dirty = 1",
  "CREATE TABLE chain_projects (project TEXT PRIMARY KEY, newest REAL NOT NULL) WITHOUT ROWID"
]
export const eventTableNames = ["chain_events", "chain_sessions", "chain_projects"]

/** Calls of agents that give them no id are told apart by what was asked. */
const alikeOf = ({ asked, command, name, paths }: ToolOutcome): string =>
  JSON.stringify([name, command ?? asked, paths])

/** So near to each other, a prompt that a hook told of and one of the transcript are one. */
const samePromptMs = 5000

type Phase = "t" | "b" | "e" | "s" | "o"
const ranks: Readonly<Record<Phase, number>> = { t: 0, b: 1, o: 2, e: 3, s: 4 }

interface EventRow {
  readonly at: number
  readonly rank: number
  readonly id: string
  readonly source: "h" | "t"
  readonly phase: Phase
  readonly position: number
}

interface SessionRow {
  readonly scope: string
  readonly session: string
  readonly at: number | null
  readonly rank: number | null
  readonly id: string | null
  readonly source: string | null
}

const phaseOf = (happened: Happened): Phase => {
  switch (happened.type) {
    case "started":
      return "b"
    case "ended":
      return "e"
    case "turn":
      return "t"
    default:
      return "o"
  }
}

/** What a hook tells of an end; nothing where the agent tells its hooks no exit code. */
const toldOf = (observation: Happened): string | null => {
  if (observation.type !== "ended") return null
  const { exitCode, kind, told } = observation.outcome
  if (told === "ok" || told === "failed") return kind === "shell" && exitCode === undefined ? null : told
  return null
}

export interface ChainEvents {
  /** True where it was, or will be, followed with the rest of its session: nobody else has to. */
  readonly hooked: (fact: Fact, place: FactPlace, happened: Happened) => boolean
  readonly observed: (fact: Fact, place: FactPlace) => void
  /** After the last of a round, before `rest`. */
  readonly finish: () => void
  readonly rest: (most: number) => boolean
}

export const makeEvents = (db: Database, store: ChainRows): ChainEvents => {
  const put = db.prepare(
    "INSERT OR REPLACE INTO chain_events (scope, at, rank, id, source, phase, position, told, alike) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
  )
  const sessionOf = db.prepare<[string], { readonly horizon: number; readonly dirty: number }>(
    "SELECT horizon, dirty FROM chain_sessions WHERE scope = ?"
  )
  const touch = db.prepare(
    `INSERT INTO chain_sessions (scope, session, horizon, dirty) VALUES (?, ?, ?, ?)
      ON CONFLICT (scope) DO UPDATE SET horizon = max(horizon, excluded.horizon), dirty = max(dirty, excluded.dirty),
        at = CASE WHEN excluded.dirty = 1 THEN NULL ELSE at END`
  )
  const eventsOf = db.prepare<
    [string, string, string],
    { readonly phase: Phase; readonly told: string | null }
  >("SELECT phase, told FROM chain_events WHERE scope = ? AND id = ? AND source = ?")
  const turnNear = db
    .prepare<[string, number, number, string], number>(
      "SELECT 1 FROM chain_events WHERE scope = ? AND rank = 0 AND at BETWEEN ? AND ? AND source = ? LIMIT 1"
    )
    .pluck()
  const alikeIn = db
    .prepare<[string, string], number>(
      "SELECT count(*) FROM chain_events WHERE scope = ? AND alike = ? AND source = 't' AND phase = 'b'"
    )
    .pluck()
  const nextDirty = db.prepare<[], SessionRow>(
    "SELECT scope, session, at, rank, id, source FROM chain_sessions WHERE dirty = 1 LIMIT 1"
  )
  const eventsFrom = db.prepare<unknown[], EventRow>(
    `SELECT at, rank, id, source, phase, position FROM chain_events
      WHERE scope = ? AND (at, rank, id, source) > (?, ?, ?, ?) ORDER BY at, rank, id, source LIMIT ?`
  )
  const moveOn = db.prepare("UPDATE chain_sessions SET at = ?, rank = ?, id = ?, source = ? WHERE scope = ?")
  const clean = db.prepare("UPDATE chain_sessions SET dirty = 0, at = NULL WHERE scope = ?")
  const newest = db.prepare(
    `INSERT INTO chain_projects VALUES (?, ?)
      ON CONFLICT (project) DO UPDATE SET newest = excluded.newest WHERE excluded.newest > newest`
  )
  const projects = db.prepare<[], { readonly project: string; readonly newest: number }>(
    "SELECT project, newest FROM chain_projects"
  )
  const endInvocation = db
    .prepare<[string, string], number>(
      "SELECT position FROM chain_events WHERE scope = ? AND id = ? AND source = 'h' AND phase = 'e' LIMIT 1"
    )
    .pluck()
  const read = factReader(db)
  /** The newest of each project in this round. */
  const newestIn = new Map<string, number>()
  const isNewest = (project: string, at: number): void =>
    void newestIn.set(project, Math.max(newestIn.get(project) ?? at, at))
  const finish = (): void => {
    for (const [project, at] of newestIn) newest.run(project, at)
    newestIn.clear()
  }

  const keep = (
    scope: string,
    at: number,
    id: string,
    source: "h" | "t",
    phase: Phase,
    position: number,
    told: string | null = null,
    alike: string | null = null
  ): void => void put.run(scope, at, ranks[phase], id, source, phase, position, told, alike)

  /** A hook told of the beginning of this call, and of the same end. */
  const isConfirmed = (scope: string, call: string, told: string | null): boolean => {
    const rows = eventsOf.all(scope, call, "h")
    return (
      rows.some(({ phase }) => phase === "b") &&
      rows.some((row) => row.phase === "e" && row.told !== null && row.told === told)
    )
  }

  const hooked = (fact: Fact, place: FactPlace, observation: Happened): boolean => {
    const { at, position, session, stream } = place
    if (place.project !== null) isNewest(place.project, at)
    if (session === null) return false
    const scope = scopeKey(place)
    if (observation.type === "held") {
      keep(scope, at, `held/${invocationOf(stream)}`, "h", "o", position)
      return sessionOf.get(scope)?.dirty === 1
    }
    if (fact.type !== "PAYLOAD_BUFFERED") return false
    const phase = phaseOf(observation)
    const outcome =
      observation.type === "started" || observation.type === "ended" ? observation.outcome : undefined
    const isNamed = fact.toolUseId !== null
    const id = outcome !== undefined && isNamed ? outcome.id : invocationOf(stream)
    const alike = outcome === undefined || isNamed ? null : alikeOf(outcome)
    keep(scope, at, id, "h", phase, position, toldOf(observation), alike)
    const known = sessionOf.get(scope)
    if (known === undefined) return false
    const isTold =
      known.dirty === 1 ||
      at <= known.horizon ||
      eventsOf.get(scope, id, "t") !== undefined ||
      (alike !== null && (alikeIn.get(scope, alike) ?? 0) > 0)
    if (isTold) touch.run(scope, session, 0, 1)
    return isTold
  }

  const observedAs = (fact: CallObserved, place: FactPlace, scope: string): boolean => {
    const seen = observedCall(fact, place.agent)
    if (seen === undefined) return false
    const { call, ended = place.at } = fact
    const alike = place.agent === "gemini-cli" ? alikeOf(seen.started) : null
    const told = fact.told === "ok" || fact.told === "failed" ? fact.told : null
    keep(scope, place.at, call, "t", "b", place.position, told, alike)
    if (seen.ended !== undefined) keep(scope, Math.max(ended, place.at), call, "t", "e", place.position, told)
    return !isConfirmed(scope, call, told)
  }

  const observed = (fact: Fact, place: FactPlace): void => {
    const { at, position, project, session } = place
    if (session === null) return
    if (project !== null) isNewest(project, at)
    const scope = scopeKey(place)
    switch (fact.type) {
      case "TOOL_CALL_OBSERVED": {
        const isNew = observedAs(fact, place, scope)
        touch.run(scope, session, isNew ? (fact.ended ?? at) : 0, isNew ? 1 : 0)
        return
      }
      case "TOOL_CALL_SETTLED":
        keep(scope, at, fact.call, "t", "s", position, fact.told)
        touch.run(scope, session, at, 1)
        return
      case "PROMPT_OBSERVED":
      case "TURN_INTERRUPTED": {
        if (fact.subagent !== undefined) return
        keep(scope, at, `turn/${at}`, "t", "t", position)
        const isNew = turnNear.get(scope, at - samePromptMs, at + samePromptMs, "h") === undefined
        touch.run(scope, session, isNew ? at : 0, isNew ? 1 : 0)
        return
      }
      default:
    }
  }

  /** What a hook told, unless the transcript tells it better. */
  const ofHook = (scope: string, { id }: EventRow, observation: Happened): Happened | undefined => {
    if (observation.type === "batch")
      return {
        ...observation,
        outcomes: observation.outcomes.filter((one) => eventsOf.get(scope, one.id, "t") === undefined)
      }
    if (observation.type !== "started" && observation.type !== "ended") return observation
    const rows = eventsOf.all(scope, id, "t")
    const begun = rows.find(({ phase }) => phase === "b")
    if (begun !== undefined) {
      // A transcript that was cut off knows of no end: what the hook was told stands.
      if (observation.type === "ended" && !rows.some(({ phase }) => phase === "e")) return observation
      return isConfirmed(scope, id, begun.told) ? observation : undefined
    }
    const { outcome } = observation
    return outcome.id === id && (alikeIn.get(scope, alikeOf(outcome)) ?? 0) > 0 ? undefined : observation
  }

  /** What a transcript told that no hook did, or otherwise. */
  const ofTranscript = (
    scope: string,
    { at, id, phase }: EventRow,
    fact: Fact,
    agent: string | null
  ): Observation | undefined => {
    if (phase === "t")
      return turnNear.get(scope, at - samePromptMs, at + samePromptMs, "h") === undefined
        ? { type: "turn" }
        : undefined
    if (fact.type === "TOOL_CALL_SETTLED") {
      const told = fact.told === "running" ? "untold" : fact.told
      const begun = read(positionOfCall.get(scope, id) ?? 0)
      const seen = begun?.fact.type === "TOOL_CALL_OBSERVED" ? observedCall(begun.fact, agent) : undefined
      if (seen === undefined) return undefined
      const text = typeof fact.response === "string" ? fact.response : ""
      return { type: "ended", outcome: { ...seen.started, told, exitCode: fact.exitCode, text } }
    }
    if (fact.type !== "TOOL_CALL_OBSERVED") return undefined
    const told = fact.told === "ok" || fact.told === "failed" ? fact.told : null
    if (isConfirmed(scope, id, told)) return undefined
    const seen = observedCall(fact, agent)
    if (phase === "b") return seen && { type: "started", outcome: seen.started }
    // What went on in the background ends when it is told how.
    const isSettled = eventsOf.all(scope, id, "t").some((one) => one.phase === "s")
    if (fact.told === "running" && isSettled) return undefined
    return seen?.ended && { type: "ended", outcome: seen.ended }
  }

  const positionOfCall = db
    .prepare<[string, string], number>(
      "SELECT position FROM chain_events WHERE scope = ? AND id = ? AND source = 't' AND phase = 'b' LIMIT 1"
    )
    .pluck()

  const followEvent = (scope: string, event: EventRow): void => {
    const found = read(event.position)
    if (found === undefined) return
    const { fact, place } = found
    const where = { ...place, at: event.at }
    if (event.source === "h") {
      const invocation = invocationOf(place.stream)
      const told = happenedIn(fact, place.agent, invocation)
      const happened = told && ofHook(scope, event, told)
      if (happened !== undefined) followHappened(store, happened, where, invocation)
      return
    }
    const observation = ofTranscript(scope, event, fact, place.agent)
    if (observation === undefined) return
    // A problem keeps its name when the transcript tells more of the call in which a hook showed it.
    const hook = read(endInvocation.get(scope, event.id) ?? 0)
    const invocation = hook === undefined ? idOfCall(scope, event) : invocationOf(hook.place.stream)
    followHappened(store, observation, where, invocation)
  }

  const factId = db.prepare<[number], string>("SELECT id FROM recorded WHERE position = ?").pluck()
  const idOfCall = (_: string, { position }: EventRow): string => factId.get(position) ?? String(position)

  const followAnew = ({ at, id, rank, scope, source }: SessionRow, most: number): void => {
    if (at === null) store.forget(scope)
    const from = at === null ? [Number.MIN_SAFE_INTEGER, -1, "", ""] : [at, rank, id, source]
    const events = eventsFrom.all(scope, ...from, most)
    for (const event of events) followEvent(scope, event)
    const last = events.at(-1)
    if (last === undefined || events.length < most) clean.run(scope)
    else moveOn.run(last.at, last.rank, last.id, last.source, scope)
  }

  const sweep = (): void => {
    for (const one of projects.all()) leaveStale(store, one.project, one.newest)
  }

  return {
    hooked,
    observed,
    finish,
    rest: (most) => {
      const session = nextDirty.get()
      if (session === undefined) return false
      followAnew(session, most)
      if (nextDirty.get() !== undefined) return true
      sweep()
      return false
    }
  }
}
