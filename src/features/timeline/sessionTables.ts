/** Sessions, their turns and their tool calls, as far as the calls of hooks tell of them. */
import type { Database } from "better-sqlite3"
import type { InvocationFact } from "../../../events/facts.ts"
import type { CallState } from "./foldCall.ts"

export const sessionTables = [
  `CREATE TABLE timeline_sessions (
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    project TEXT,
    began REAL NOT NULL,
    last REAL NOT NULL,
    calls INTEGER NOT NULL,
    turn TEXT,
    PRIMARY KEY (agent, session)
  ) WITHOUT ROWID`,
  "CREATE INDEX timeline_sessions_last ON timeline_sessions (last)",
  "CREATE INDEX timeline_sessions_session ON timeline_sessions (session)",
  `CREATE TABLE timeline_turns (
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    prompt TEXT,
    began REAL NOT NULL,
    last REAL NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (session, turn)
  ) WITHOUT ROWID`,
  `CREATE TABLE timeline_tools (
    session TEXT NOT NULL,
    use TEXT NOT NULL,
    turn TEXT,
    subagent TEXT,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT,
    began REAL NOT NULL,
    ended REAL,
    ok INTEGER,
    PRIMARY KEY (session, use)
  ) WITHOUT ROWID`,
  "CREATE INDEX timeline_tools_open ON timeline_tools (session, name, began) WHERE ended IS NULL"
]

type Buffered = Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>

const endings: readonly string[] = ["tool.after", "tool.failure"]

/** 1 where it went well, as far as the agent tells. */
const okOf = ({ events, tool }: Buffered): number | null => {
  if (events.some(({ event }) => event === "tool.failure")) return 0
  return tool?.ok === undefined ? null : tool.ok ? 1 : 0
}

interface SessionRow {
  readonly agent: string
  readonly session: string
  readonly project: string | null
  readonly began: number
  readonly last: number
  readonly calls: number
  readonly turn: string | null
}

interface TurnRow {
  readonly session: string
  readonly turn: string
  readonly prompt: string | null
  readonly began: number
  readonly last: number
  readonly calls: number
}

const keyOf = ({ agent, session }: Pick<SessionRow, "agent" | "session">): string =>
  JSON.stringify([agent, session])

export const makeSessions = (db: Database) => {
  const current = db
    .prepare<[string, string], string | null>(
      "SELECT turn FROM timeline_sessions WHERE agent = ? AND session = ?"
    )
    .pluck()
  const putSession = db.prepare(
    `INSERT INTO timeline_sessions (agent, session, project, began, last, calls, turn) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (agent, session) DO UPDATE SET last = excluded.last, calls = calls + excluded.calls, turn = excluded.turn`
  )
  const putTurn = db.prepare(
    `INSERT INTO timeline_turns (session, turn, prompt, began, last, calls) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (session, turn) DO UPDATE SET
        last = excluded.last, calls = calls + excluded.calls, prompt = coalesce(prompt, excluded.prompt)`
  )
  const openTool = db
    .prepare<[string, string, string | null], string>(
      "SELECT use FROM timeline_tools WHERE session = ? AND name = ? AND subject IS ? AND ended IS NULL ORDER BY began LIMIT 1"
    )
    .pluck()
  const putTool = db.prepare(
    `INSERT INTO timeline_tools (session, use, turn, subagent, name, kind, subject, began, ended, ok)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (session, use) DO UPDATE SET
        ended = coalesce(excluded.ended, ended), ok = coalesce(excluded.ok, ok)`
  )

  /** Of this round: one row of each is written, however many calls it had. */
  const sessions = new Map<string, SessionRow>()
  const turns = new Map<string, TurnRow>()

  const inSession = (agent: string, session: string, project: string | null, at: number): SessionRow => {
    const known = sessions.get(keyOf({ agent, session }))
    if (known !== undefined) return known
    const turn = current.get(agent, session) ?? null
    return { agent, session, project, began: at, last: at, calls: 0, turn }
  }

  const inTurn = (session: string, turn: string, prompt: string | null, at: number): void => {
    const key = JSON.stringify([session, turn])
    const before = turns.get(key) ?? { session, turn, prompt, began: at, last: at, calls: 0 }
    turns.set(key, { ...before, prompt: before.prompt ?? prompt, last: at, calls: before.calls + 1 })
  }

  /** After the last of a round. */
  const finish = (): void => {
    for (const { agent, began, calls, last, project, session, turn } of sessions.values())
      putSession.run(agent, session, project, began, last, calls, turn)
    for (const { began, calls, last, prompt, session, turn } of turns.values())
      putTurn.run(session, turn, prompt, began, last, calls)
    sessions.clear()
    turns.clear()
  }

  /** Agents that send no id of a turn begin one with each prompt. */
  const turnOf = (state: CallState, before: string | null): string | null => {
    if (state.turn !== null) return state.turn
    return state.event === "prompt.submit" ? state.invocation : before
  }

  /** What comes after a tool call without an id is of the oldest of its kind that has not ended. */
  const useOf = (state: CallState, session: string, name: string): string =>
    state.tool?.use ??
    (state.event === "tool.before" ? undefined : openTool.get(session, name, state.subject)) ??
    state.invocation

  /** Puts the call into its session: with the turn and the tool call that it belongs to. */
  const place = (state: CallState, fact: Buffered, at: number): CallState => {
    const { session, subagent, subject, tool } = state
    if (session === null) return state
    const before = inSession(state.agent ?? "", session, state.project, at)
    const turn = turnOf(state, before.turn)
    sessions.set(keyOf(before), { ...before, last: at, calls: before.calls + 1, turn })
    if (turn !== null) inTurn(session, turn, state.event === "prompt.submit" ? subject : null, at)
    if (tool === null) return { ...state, turn }
    const use = useOf(state, session, tool.name)
    const isOver = endings.includes(state.event ?? "")
    const [ended, ok] = isOver ? [at, okOf(fact)] : [null, null]
    putTool.run(session, use, turn, subagent, tool.name, tool.kind, subject, at, ended, ok)
    return { ...state, turn, tool: { ...tool, use } }
  }

  return { place, finish }
}
