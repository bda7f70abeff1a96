/**
 * The tables of the timeline: projects, sessions with their subagents, turns, tool calls, calls, hook runs and jobs. A projection in
 * the log's own file. A call's row is written once for each look at the log, however many of its facts came.
 */
import type { Database } from "better-sqlite3"
import type { Fact, InvocationFact, JobFact } from "../../../events/facts.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import type { FactPlace, Projection } from "../../log/projection.ts"
import { makeAddToSums, type SummedCall } from "./addToSums.ts"
import type { CallJob, HookRun } from "./Call.ts"
import { keepCallDays } from "./days.ts"
import { type CallState, evolveCall, hookRunsOf, openCall, verdictOf } from "./foldCall.ts"
import { forgetDays } from "./forgetDays.ts"
import { isObserved, makeObserved, observedTables, observedTypes } from "./observedTables.ts"
import { sumTables } from "./runningSums.ts"
import { makeSessions, sessionTables } from "./sessionTables.ts"
import { clipped } from "./subject.ts"

export const timelineVersion = { name: "timeline", version: 6 } as const

const create = [
  `CREATE TABLE timeline_calls (
    position INTEGER PRIMARY KEY,
    invocation TEXT NOT NULL UNIQUE,
    short TEXT NOT NULL,
    at REAL NOT NULL,
    agent TEXT,
    agent_event TEXT,
    event TEXT,
    project TEXT,
    session TEXT,
    subagent TEXT,
    turn TEXT,
    tool TEXT,
    tool_kind TEXT,
    tool_use TEXT,
    subject TEXT,
    outcome TEXT NOT NULL,
    decision TEXT,
    decided_by TEXT,
    reason TEXT,
    wait REAL,
    client REAL,
    own INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    call TEXT,
    entry INTEGER NOT NULL,
    pid INTEGER,
    last_at REAL NOT NULL,
    ended INTEGER,
    spoke TEXT
  )`,
  "CREATE INDEX timeline_calls_short ON timeline_calls (short)",
  "CREATE INDEX timeline_calls_at ON timeline_calls (at)",
  "CREATE INDEX timeline_calls_session ON timeline_calls (session, position)",
  "CREATE INDEX timeline_calls_ended ON timeline_calls (ended)",
  "CREATE INDEX timeline_calls_call ON timeline_calls (call) WHERE call IS NOT NULL",
  "CREATE INDEX timeline_calls_open ON timeline_calls (position) WHERE ended IS NULL",
  "CREATE INDEX timeline_calls_blocked ON timeline_calls (position) WHERE decision = 'block'",
  "CREATE INDEX timeline_calls_failed ON timeline_calls (position) WHERE failures > 0",
  "CREATE INDEX timeline_calls_spoke ON timeline_calls (position) WHERE outcome <> 'silent' AND own = 0",
  // What the map of all time and the numbers are made of, without the texts.
  `CREATE INDEX timeline_calls_time ON timeline_calls (at, outcome, decision, wait, session, failures, decided_by, position)
    WHERE own = 0`,
  "CREATE INDEX timeline_calls_over ON timeline_calls (session) WHERE event = 'session.end'",
  "CREATE INDEX timeline_calls_shown ON timeline_calls (position) WHERE own = 0",
  `CREATE TABLE timeline_runs (
    call INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    hook TEXT NOT NULL,
    event TEXT NOT NULL,
    project TEXT,
    outcome TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    at REAL,
    ms REAL,
    process TEXT,
    decision TEXT,
    reason TEXT,
    said TEXT,
    services TEXT,
    PRIMARY KEY (call, nth)
  ) WITHOUT ROWID`,
  "CREATE INDEX timeline_runs_hook ON timeline_runs (hook, call)",
  "CREATE INDEX timeline_runs_bad ON timeline_runs (hook, call) WHERE outcome IN ('failed', 'timed-out')",
  `CREATE TABLE timeline_jobs (
    job TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    invocation TEXT,
    hook TEXT NOT NULL,
    project TEXT,
    at REAL NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    ms REAL,
    error TEXT
  ) WITHOUT ROWID`,
  "CREATE INDEX timeline_jobs_invocation ON timeline_jobs (invocation) WHERE invocation IS NOT NULL",
  "CREATE INDEX timeline_jobs_dead ON timeline_jobs (at, invocation) WHERE state = 'dead'",
  // What a call can be found by: its subject, who decided and why, the hooks that spoke. Ids have
  // indexes of their own.
  `CREATE VIEW timeline_texts AS SELECT position,
      concat_ws(char(10), tool, subject, decided_by, spoke, reason) AS words FROM timeline_calls`,
  // Whatever part of a word somebody remembers finds the call.
  `CREATE VIRTUAL TABLE timeline_words USING fts5 (
    words, content = 'timeline_texts', content_rowid = 'position', tokenize = 'trigram', detail = 'none'
  )`,
  // Facts of a call that is not over, as far as they were taken in.
  "CREATE TABLE timeline_open (stream TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID",
  // Where doctor's last run stands on the log.
  "CREATE TABLE timeline_doctor (only INTEGER PRIMARY KEY CHECK (only = 1), position INTEGER NOT NULL)"
]

const drop = [
  "DROP TABLE IF EXISTS timeline_words",
  "DROP VIEW IF EXISTS timeline_texts",
  ...[
    "calls",
    "runs",
    "jobs",
    "open",
    "doctor",
    "minutes",
    "hooks",
    "sessions",
    "turns",
    "tools",
    "observed"
  ].map((name) => `DROP TABLE IF EXISTS timeline_${name}`)
]

const invocationPrefix = "invocation/"

/** The names of the hooks that had something to say, or came to no good end. */
const spokeOf = (hooks: readonly HookRun[]): string | null => {
  const names = hooks
    .filter(({ outcome, said }) => said.length > 0 || outcome !== "succeeded")
    .map(({ hook }) => hook)
  return names.length === 0 ? null : [...new Set(names)].join("\n")
}

/** As the view has them. */
const wordsOf = (texts: readonly (string | null)[]): string =>
  texts.filter((text) => text !== null).join("\n")

const listText = (list: readonly unknown[]): string | null =>
  list.length === 0 ? null : JSON.stringify(list)

const makeCalls = (db: Database) => {
  const names = `position, invocation, short, at, agent, agent_event, event, project, session, subagent, turn, tool, tool_kind,
    tool_use, subject, outcome, decision, decided_by, reason, wait, client, own, failures, call, entry, pid, last_at, ended, spoke`
  const put = db.prepare(`INSERT INTO timeline_calls (${names}) VALUES (${"?, ".repeat(28)}?)`)
  const remove = db.prepare("DELETE FROM timeline_calls WHERE position = ?")
  const addWords = db.prepare("INSERT INTO timeline_words (rowid, words) VALUES (?, ?)")
  const removeWords = db.prepare(
    `INSERT INTO timeline_words (timeline_words, rowid, words)
      SELECT 'delete', position, words FROM timeline_texts WHERE position = ?`
  )
  const removeRuns = db.prepare("DELETE FROM timeline_runs WHERE call = ?")
  const putRun = db.prepare(
    `INSERT INTO timeline_runs (call, nth, hook, event, project, outcome, attempts, at, ms, process, decision, reason, said,
        services) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )

  return (state: CallState, isNew: boolean, sums: (call: SummedCall) => void): void => {
    const { position, invocation, project, subject, tool } = state
    const verdict = verdictOf(state)
    const hooks = hookRunsOf(state)
    const failures =
      hooks.filter(({ outcome }) => outcome === "failed" || outcome === "timed-out").length +
      (state.rejected === null && state.undelivered === null ? 0 : 1)
    const spoke = spokeOf(hooks)
    if (!isNew) {
      removeWords.run(position)
      remove.run(position)
      removeRuns.run(position)
    }
    put.run(
      position,
      invocation,
      invocation.slice(-8),
      state.at,
      state.agent,
      state.agentEvent,
      state.event,
      project,
      state.session,
      state.subagent,
      state.turn,
      tool?.name ?? null,
      tool?.kind ?? null,
      tool?.use ?? null,
      subject,
      verdict.outcome,
      verdict.decision,
      verdict.by,
      verdict.reason,
      state.waitMs,
      state.clientMs,
      state.own ? 1 : 0,
      failures,
      state.call,
      state.entry ? 1 : 0,
      state.pid,
      state.lastAt,
      state.ended,
      spoke
    )
    addWords.run(position, wordsOf([tool?.name ?? null, subject, verdict.by, spoke, verdict.reason]))
    hooks.forEach(
      ({ at, attempts, decision, event, hook, ms, outcome, process, reason, said, services }, nth) => {
        const lists = [listText(said), listText(services)]
        putRun.run(
          ...[
            position,
            nth,
            hook,
            event,
            project,
            outcome,
            attempts,
            at,
            ms,
            process ?? null,
            decision,
            reason
          ],
          ...lists
        )
      }
    )
    if (state.ended !== null && !state.own)
      sums({ ...verdict, at: state.at, failures, wait: state.waitMs, hooks })
  }
}

type JobState = CallJob["state"]

const jobStateOf = (fact: JobFact): JobState => {
  switch (fact.type) {
    case "JOB_STARTED":
      return "running"
    case "JOB_SUCCEEDED":
      return "done"
    case "JOB_FAILED":
      return "waiting"
    case "JOB_DIED":
      return "dead"
    case "JOB_DROPPED":
      return "dropped"
    case "JOB_ENQUEUED":
    case "JOB_RELEASED":
    case "JOB_HELD":
    case "JOB_RETRIED":
      return "queued"
  }
}

const makeJobs = (db: Database) => {
  const add = db.prepare(
    `INSERT OR IGNORE INTO timeline_jobs (job, position, invocation, hook, project, at, state, attempts, ms, error)
      VALUES (?, ?, ?, ?, ?, ?, 'queued', 0, NULL, NULL)`
  )
  const move = db.prepare(
    `UPDATE timeline_jobs SET state = ?, attempts = max(attempts, ?), ms = coalesce(?, ms), error = coalesce(?, error)
      WHERE job = ?`
  )
  return (fact: JobFact, { at, position, project, stream }: FactPlace): void => {
    const job = stream.slice("job/".length)
    if (fact.type === "JOB_ENQUEUED") {
      add.run(job, position, fact.invocation ?? null, fact.handler ?? fact.kind, project, at)
      return
    }
    move.run(
      jobStateOf(fact),
      "attempt" in fact ? fact.attempt : 0,
      "ms" in fact ? (fact.ms ?? null) : null,
      "error" in fact ? clipped(fact.error.message) : null,
      job
    )
  }
}

interface OpenRow {
  readonly state: string
}

/** Calls that are not over are kept as they are, and those that are as rows: at the end of each look. */
const makeFold = (db: Database) => {
  const putCall = makeCalls(db)
  const takeJob = makeJobs(db)
  const sessions = makeSessions(db)
  const takeObserved = makeObserved(db)
  const sums = makeAddToSums(db)
  const putDoctor = db.prepare("INSERT OR REPLACE INTO timeline_doctor (only, position) VALUES (1, ?)")
  const read = db.prepare<[string], OpenRow>("SELECT state FROM timeline_open WHERE stream = ?")
  const keep = db.prepare(
    "INSERT INTO timeline_open (stream, state) VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET state = excluded.state"
  )
  const forget = db.prepare("DELETE FROM timeline_open WHERE stream = ?")
  /** Those of this look, in the order in which they were seen, and whether they have a row already. */
  const seen = new Map<string, { state: CallState; readonly isNew: boolean }>()

  const known = (stream: string): { state: CallState; readonly isNew: boolean } | undefined => {
    const here = seen.get(stream)
    if (here !== undefined) return here
    const row = read.get(stream)
    if (row === undefined) return undefined
    const before = { state: JSON.parse(row.state) as CallState, isNew: false }
    seen.set(stream, before)
    return before
  }

  const takeCall = (fact: InvocationFact, { at, position, stream }: FactPlace): void => {
    const before = known(stream)
    if (before === undefined) {
      // What has no beginning, or comes after its end, is no call: the log has it.
      if (fact.type !== "INVOCATION_OPENED") return
      const invocation = stream.slice(invocationPrefix.length)
      seen.set(stream, { state: openCall(fact, invocation, position, at), isNew: true })
      return
    }
    if (before.state.ended !== null) return
    before.state = evolveCall(before.state, fact, { at, position })
    if (fact.type === "PAYLOAD_BUFFERED") before.state = sessions.place(before.state, fact, at)
  }

  const take = (fact: Fact, place: FactPlace): void => {
    if (place.stream.startsWith(invocationPrefix)) takeCall(fact as InvocationFact, place)
    else if (fact.type.startsWith("JOB_")) takeJob(fact as JobFact, place)
    else if (fact.type === "DOCTOR_RAN") putDoctor.run(place.position)
    else if (isObserved(fact.type)) takeObserved(fact as ObservedFact, place)
  }

  const finish = (): void => {
    for (const [stream, { isNew, state }] of seen) {
      putCall(state, isNew, sums.add)
      if (state.ended === null) {
        keep.run(stream, JSON.stringify(state))
        continue
      }
      if (!isNew) forget.run(stream)
    }
    seen.clear()
    sums.finish()
    sessions.finish()
  }

  return Object.assign(take, { finish })
}

export const timelineProjection: Projection = {
  ...timelineVersion,
  types: [
    "INVOCATION_OPENED",
    "PAYLOAD_BUFFERED",
    "PAYLOAD_REJECTED",
    "HANDLERS_PLANNED",
    "HANDLER_STARTED",
    "HANDLER_SUCCEEDED",
    "HANDLER_FAILED",
    "HANDLER_TIMED_OUT",
    "HANDLER_SKIPPED",
    "SERVICE_CALLED",
    "REPLY_DELIVERED",
    "DELIVERY_FAILED",
    "EXITED",
    "JOB_ENQUEUED",
    "JOB_STARTED",
    "JOB_SUCCEEDED",
    "JOB_FAILED",
    "JOB_RELEASED",
    "JOB_DIED",
    "JOB_HELD",
    "JOB_DROPPED",
    "JOB_RETRIED",
    "DOCTOR_RAN",
    ...observedTypes
  ],
  table: "timeline_calls",
  anew: [...drop, ...create, ...sumTables, ...sessionTables, ...observedTables],
  keep: keepCallDays,
  forget: forgetDays(
    { sums: "timeline_days", of: "timeline_calls" },
    { sums: "timeline_hook_days", of: "timeline_calls", names: ["hook"] }
  ),
  makeFold
}
