/** What transcripts tell of calls and prompts, beside the calls of hooks: rows of their own, so that nothing counts as a hook's call. */
import type { Database } from "better-sqlite3"
import type { CallObserved, ObservedFact } from "../../../events/observedFacts.ts"
import { adapters } from "../../agents/adapters.ts"
import { isTranscribed, rebuiltBefore } from "../../agents/transcripts/rebuilt.ts"
import type { FactPlace } from "../../log/projection.ts"
import { clipped, subjectOf } from "./subject.ts"

export const observedTypes = ["TOOL_CALL_OBSERVED", "TOOL_CALL_SETTLED", "PROMPT_OBSERVED"] as const

export const observedTables = [
  `CREATE TABLE timeline_observed (
    position INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    agent TEXT,
    event TEXT NOT NULL,
    project TEXT,
    session TEXT,
    subagent TEXT,
    turn TEXT,
    tool TEXT,
    tool_kind TEXT,
    tool_use TEXT,
    subject TEXT,
    told TEXT,
    exit_code INTEGER,
    ended REAL
  )`,
  "CREATE INDEX timeline_observed_at ON timeline_observed (at)",
  "CREATE INDEX timeline_observed_use ON timeline_observed (session, tool_use)"
]

const longest = 200

const toolOf = (fact: CallObserved, agent: string | null) => {
  const nothing = { kind: "other", subject: null }
  if (!isTranscribed(agent)) return nothing
  const { agentEvent, payload } = rebuiltBefore(agent, fact, null)
  const { events, tool } = adapters[agent].decode(agentEvent, payload)
  return tool === undefined ? nothing : { kind: tool.kind, subject: subjectOf(events, tool, fact.input) }
}

export const isObserved = (type: string): boolean => (observedTypes as readonly string[]).includes(type)

export const makeObserved = (db: Database) => {
  const put = db.prepare(
    `INSERT OR REPLACE INTO timeline_observed (position, at, agent, event, project, session, subagent, turn, tool, tool_kind,
      tool_use, subject, told, exit_code, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const settle = db.prepare(
    "UPDATE timeline_observed SET told = ?, exit_code = coalesce(?, exit_code) WHERE session IS ? AND tool_use = ?"
  )
  return (fact: ObservedFact, { agent, at, position, project, session }: FactPlace): void => {
    const { subagent = null, turn = null } = fact
    const where = [project, session, subagent, turn] as const
    switch (fact.type) {
      case "TOOL_CALL_OBSERVED": {
        const { call, ended = null, exitCode = null, name, told } = fact
        const { kind, subject } = toolOf(fact, agent)
        put.run(
          position,
          at,
          agent,
          "tool.before",
          ...where,
          name,
          kind,
          call,
          subject,
          told,
          exitCode,
          ended
        )
        return
      }
      case "TOOL_CALL_SETTLED":
        settle.run(fact.told, fact.exitCode ?? null, session, fact.call)
        return
      case "PROMPT_OBSERVED":
        // What nobody typed is no call of anybody.
        if (fact.automatic === true) return
        put.run(
          ...[position, at, agent, "prompt.submit", ...where, null, null, null],
          ...[clipped(fact.text.trim(), longest), null, null, null]
        )
    }
  }
}
