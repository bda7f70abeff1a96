/** The payloads that a hook would have been given at a call, made again from what a transcript tells of it. Pure. */
import type { Agent } from "../../../events/agentEvents.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { CallObserved } from "../../../events/observedFacts.ts"
import { present } from "../decode.ts"

export interface Rebuilt {
  readonly agentEvent: string
  readonly payload: JsonObject
}

type Transcribed = Extract<Agent, "claude-code" | "codex" | "gemini-cli">

interface Names {
  readonly before: string
  readonly after: string
  /** At a failure, where the agent has an event of its own for it. */
  readonly failure?: string
  readonly turn?: string
}

const names: { readonly [A in Transcribed]: Names } = {
  "claude-code": {
    before: "PreToolUse",
    after: "PostToolUse",
    failure: "PostToolUseFailure",
    turn: "prompt_id"
  },
  codex: { before: "PreToolUse", after: "PostToolUse", turn: "turn_id" },
  "gemini-cli": { before: "BeforeTool", after: "AfterTool" }
}

/** Whose transcripts are read. */
export const isTranscribed = (agent: string | null): agent is Transcribed =>
  agent !== null && Object.hasOwn(names, agent)

const common = (
  agent: Transcribed,
  fact: CallObserved,
  session: string | null,
  event: string
): JsonObject => ({
  session_id: session,
  ...present("cwd", fact.cwd),
  hook_event_name: event,
  ...(names[agent].turn === undefined || fact.turn === undefined ? {} : { [names[agent].turn]: fact.turn }),
  ...present("permission_mode", fact.permissionMode),
  ...present("agent_id", fact.subagent),
  tool_name: fact.name,
  tool_input: fact.input,
  // Gemini CLI gives its hooks no name of the call.
  ...(agent === "gemini-cli" ? {} : { tool_use_id: fact.call })
})

export const rebuiltBefore = (agent: Transcribed, fact: CallObserved, session: string | null): Rebuilt => ({
  agentEvent: names[agent].before,
  payload: common(agent, fact, session, names[agent].before)
})

/** Undefined where the call was not run, or nothing is known of its end. */
export const rebuiltAfter = (
  agent: Transcribed,
  fact: CallObserved,
  session: string | null
): Rebuilt | undefined => {
  if (fact.told !== "ok" && fact.told !== "failed" && fact.told !== "running") return undefined
  const { after, failure } = names[agent]
  if (fact.told === "failed" && failure !== undefined)
    return {
      agentEvent: failure,
      payload: {
        ...common(agent, fact, session, failure),
        error: typeof fact.response === "string" ? fact.response : JSON.stringify(fact.response ?? ""),
        is_interrupt: false
      }
    }
  return {
    agentEvent: after,
    payload: { ...common(agent, fact, session, after), tool_response: fact.response ?? null }
  }
}
