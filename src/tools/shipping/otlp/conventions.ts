/**
 * How what hooktape knows is called in OpenTelemetry. The names for generative AI are still in development: they stand here alone,
 * and a change of them is a new version of this file. Hooks and decisions have no standard name: those are `hooktape.*`.
 */

/** Said with everything that is sent. */
export const conventions = "1"

export const names = {
  /** The agent's own session, as the agents' telemetry calls it and as the conventions do. */
  session: "session.id",
  conversation: "gen_ai.conversation.id",
  /** The agent's own id of the turn. */
  prompt: "prompt.id",
  operation: "gen_ai.operation.name",
  agent: "gen_ai.agent.name",
  subagent: "gen_ai.agent.id",
  tool: "gen_ai.tool.name",
  toolCall: "gen_ai.tool.call.id",
  error: "error.type"
} as const

export const operations = { turn: "invoke_agent", tool: "execute_tool" } as const

/** Seconds, as the conventions count durations. */
export const metricNames = {
  call: "hooktape.call.duration",
  handler: "hooktape.handler.duration",
  intents: "hooktape.intents"
} as const
