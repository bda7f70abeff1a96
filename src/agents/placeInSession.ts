/** Which turn of its session a payload belongs to, and which subagent sent it: told by the fields that each agent has for it. */
import type { JsonObject } from "../../events/intents.ts"

export interface PlaceInSession {
  /** The agent's own id of the turn. Null where it sends none. */
  readonly turn: string | null
  /** The agent's id of the subagent that fired the hook. Null for the session itself. */
  readonly subagent: string | null
}

interface Fields {
  readonly turn?: string
  readonly subagent?: string
}

const fieldsOf: Readonly<Record<string, Fields>> = {
  "claude-code": { turn: "prompt_id", subagent: "agent_id" },
  codex: { turn: "turn_id", subagent: "agent_id" },
  opencode: { turn: "turn_id", subagent: "agent_id" },
  cline: { turn: "turn_id", subagent: "agent_id" },
  cursor: { turn: "generation_id", subagent: "subagent_id" },
  windsurf: { turn: "execution_id" },
  vscode: { subagent: "agent_id" }
}

const textIn = (payload: JsonObject, field: string | undefined): string | null => {
  const value = field === undefined ? undefined : payload[field]
  return typeof value === "string" && value !== "" ? value : null
}

export const placeInSession = (agent: string | null, payload: JsonObject): PlaceInSession => {
  const { subagent, turn } = fieldsOf[agent ?? ""] ?? {}
  return { turn: textIn(payload, turn), subagent: textIn(payload, subagent) }
}
