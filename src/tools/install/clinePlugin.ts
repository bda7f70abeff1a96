/**
 * The plugin that stands between Cline and our client: a module of one file that Cline loads into a process beside its own. Cline's
 * command hooks end the whole run with a block and tell nobody why; what a plugin skips is told to the model, with the reason. It tells
 * what happens to the commands of `hooktape.json` above it, and does what they answer (`src/agents/cline/rules.ts`). Without that
 * file, or without a client, it is silent.
 */
import { pluginCommandsText } from "./pluginCommands.ts"

export const clinePluginText = `// Starts the commands of hooktape.json, in the folder above. Written by "hooktape install --agent cline", the same for everyone.
${pluginCommandsText}
const hooks = registered()
let session = ""
let cwd = process.cwd()
let env = process.env
let isOpen = false
/** The run that the human's prompt began. */
let turn
/** Calls that were skipped here: Cline reports them as failed ones. */
const skipped = new Set()
/** What one function of a plugin may take, in ms, of the three seconds that Cline gives it. */
const limit = 2_600

/** A subagent is told beside the session and the turn that started it. */
const payloadOf = (event, { agentId, agentRole, parentAgentId }, fields) => ({
  hook_event_name: event,
  session_id: session,
  cwd,
  ...(isText(turn) ? { turn_id: turn } : {}),
  ...(isText(parentAgentId) ? { agent_id: agentId, agent_type: agentRole ?? "" } : {}),
  ...fields
})

const call = (event, snapshot, fields, left = limit) =>
  answersOf(hooks, payloadOf(event, snapshot, fields), cwd, env, left)

/** What the human wrote, of a message that Cline wraps. */
const promptOf = ({ content } = {}) => {
  const parts = Array.isArray(content) ? content : [{ type: "text", text: String(content ?? "") }]
  const text = parts.flatMap(({ text, type }) => (type === "text" ? [text] : [])).join("\\n")
  return /^<user_input\\b[^>]*>([\\s\\S]*)<\\/user_input>\\s*$/.exec(text)?.[1] ?? text
}

const beside = (...contexts) => {
  const appendContext = contexts.filter(isText).join("\\n\\n")
  return appendContext === "" ? undefined : { appendContext }
}

const isSubagent = ({ parentAgentId }) => isText(parentAgentId)

const beforeRun = async ({ snapshot }) => {
  if (isSubagent(snapshot)) return beside((await call("SubagentStart", snapshot, {})).context)
  const began = performance.now()
  turn = snapshot.runId
  const messages = snapshot.messages ?? []
  let opening
  if (!isOpen) {
    isOpen = true
    opening = call("SessionStart", snapshot, { source: messages.length > 1 ? "resume" : "startup" })
    // One that takes long does not take all of the prompt's time.
    await Promise.race([opening, new Promise((done) => setTimeout(done, limit / 3).unref())])
  }
  const prompt = promptOf(messages.findLast(({ role, metadata }) => role === "user" && metadata?.displayRole !== "system"))
  const left = Math.max(200, limit - (performance.now() - began))
  const [start, answer] = await Promise.all([opening, call("UserPromptSubmit", snapshot, { prompt }, left)])
  return answer.isBlock ? { stop: true, reason: answer.reason } : beside(start?.context, answer.context)
}

const afterRun = async ({ result, snapshot }) => {
  const said = isText(result.outputText) ? { last_assistant_message: result.outputText } : {}
  if (isSubagent(snapshot)) await call("SubagentStop", snapshot, said)
  else if (result.status === "completed") await call("Stop", snapshot, { stop_hook_active: false, ...said })
  else if (result.status === "aborted") await call("Interrupt", snapshot, {})
  else {
    const { message, name } = result.error ?? {}
    await call("StopFailure", snapshot, { error: name ?? "unknown", ...(isText(message) ? { error_details: message } : {}) })
  }
}

const called = ({ toolCall: { toolCallId, toolName }, input }) => ({
  tool_name: toolName,
  tool_input: input ?? {},
  tool_use_id: toolCallId
})

const beforeTool = async (before) => {
  const answer = await call("PreToolUse", before.snapshot, called(before))
  if (answer.isBlock) {
    skipped.add(before.toolCall.toolCallId)
    return { skip: true, reason: answer.reason }
  }
  return {
    ...(Object.keys(answer.args).length > 0 ? { input: { ...before.input, ...answer.args } } : {}),
    ...(answer.isAsk ? { policy: { autoApprove: false } } : answer.isAllow ? { policy: { autoApprove: true } } : {}),
    ...beside(answer.context)
  }
}

const errorOf = ({ isError, output }) => {
  if (isError === true) return isText(output?.error) ? output.error : JSON.stringify(output)
  return output?.success === false ? String(output.error ?? "") : undefined
}

const afterTool = async (after) => {
  if (skipped.delete(after.toolCall.toolCallId)) return undefined
  const fields = { ...called(after), ...(typeof after.durationMs === "number" ? { duration_ms: after.durationMs } : {}) }
  const error = errorOf(after.result)
  if (error !== undefined) {
    const byHand = /requires approval|not a tool or system failure|aborted/i.test(error)
    return beside((await call("PostToolUseFailure", after.snapshot, { ...fields, error, is_interrupt: byHand })).context)
  }
  const answer = await call("PostToolUse", after.snapshot, { ...fields, tool_response: after.result.output ?? null })
  return {
    ...(answer.output === "" ? {} : { result: { ...after.result, output: answer.output } }),
    ...beside(answer.context)
  }
}

const plugin = {
  name: "hooktape",
  manifest: { capabilities: ["hooks"] },
  setup: (_registry, context) => {
    session = context.session?.sessionId ?? ""
    cwd = context.workspaceInfo?.rootPath ?? cwd
    env = { ...process.env, CLINE_PROJECT_DIR: cwd }
  },
  hooks: { beforeRun, afterRun, beforeTool, afterTool }
}

export default plugin
`
