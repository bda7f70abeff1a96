/** What becomes of a question that the agent cannot ask: an answer that nobody gives is no yes. */
import type { HookEvent, Tool } from "../../events/agentEvents.ts"
import { joined, type Reply } from "./reply.ts"

/** What is asked about is over by then, or a block would keep the agent going: a question stops nothing there. */
const nothingToPrevent = new Set<string>([
  "session.start",
  "session.setup",
  "session.end",
  "model.after",
  "tool.after",
  "tool.failure",
  "tool.batch",
  "turn.stop",
  "turn.error",
  "turn.interrupt",
  "subagent.stop",
  "compact.after",
  "notify",
  "agent.TaskCompleted",
  "agent.TeammateIdle"
] satisfies readonly HookEvent[])

const advice = (tool: Tool | undefined): string => {
  if (tool === undefined) return ""
  return tool.kind === "shell"
    ? " If it is meant, ask the user to run it in a terminal."
    : " If it is meant, ask the user to do it by hand."
}

/** Reasons of the questions that block because they cannot be asked; none where all may pass, or nothing is left to prevent. */
export const unasked = (
  { asks }: Reply,
  why: string,
  event: string | undefined,
  tool: Tool | undefined
): readonly string[] => {
  const strict = asks.filter(({ ifCannotAsk }) => ifCannotAsk === "block")
  if (strict.length === 0 || (event !== undefined && nothingToPrevent.has(event))) return []
  return [
    ...strict.flatMap(({ reason = "" }) => (reason.trim() === "" ? [] : [reason])),
    `${why}.${advice(tool)}`
  ]
}

/** Why the human is asked. */
export const reasonToAsk = ({ asks }: Reply): string =>
  joined(asks.flatMap(({ reason = "" }) => (reason.trim() === "" ? [] : [reason])))
