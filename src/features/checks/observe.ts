/** What a recorded payload tells of the tool calls of a session. Pure; a payload that cannot be read tells nothing. */
import type { Agent, Dispatched, Tool } from "../../../events/agentEvents.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { CallEnd, CallObserved } from "../../../events/observedFacts.ts"
import { adapters } from "../../agents/adapters.ts"
import { isObject } from "../../agents/shape.ts"
import { stringAt, textOf } from "../../agents/toolCall.ts"
import { isTranscribed, type Rebuilt, rebuiltAfter, rebuiltBefore } from "../../agents/transcripts/rebuilt.ts"
import { plainText } from "./lines.ts"
import type { Told, ToolOutcome } from "./ToolOutcome.ts"

export type Observation =
  /** `isAsked`: a person is asked whether it may run. */
  | { readonly type: "started"; readonly outcome: ToolOutcome; readonly isAsked?: true }
  | { readonly type: "ended"; readonly outcome: ToolOutcome }
  /** All calls of one answer of the model are over. What no other event told of them stands here. */
  | { readonly type: "batch"; readonly outcomes: readonly ToolOutcome[] }
  /** A person spoke, or the agent stopped: no call of before goes on in the foreground. */
  | { readonly type: "turn" }
  | { readonly type: "left" }

/** As much of a fact as is needed. */
export interface Buffered {
  readonly payload: string
  readonly toolUseId: string | null
  readonly tool?: Tool | undefined
  readonly events: readonly Dispatched[]
}

const callEvents = new Set([
  "tool.before",
  "tool.permission",
  "tool.after",
  "tool.failure",
  "tool.batch",
  "command.ran",
  "file.edited",
  "error.observed"
])
const turnEvents = new Set(["prompt.submit", "turn.stop", "turn.error", "turn.interrupt"])

/** The ends of a long text: what went wrong stands near one of them. */
const longestText = 48_000
const boundedText = (text: string): string =>
  plainText(
    text.length <= longestText
      ? text
      : `${text.slice(0, longestText / 3)}\n…\n${text.slice((-longestText * 2) / 3)}`
  )

const parsed = (payload: string): JsonObject | undefined => {
  try {
    const value = JSON.parse(payload) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The agent's own name of the event: what stands in the payload, else the first that is mapped to the same canonical one. */
const nativeOf = (agent: Agent, payload: JsonObject, canonical: string): string => {
  for (const field of ["hook_event_name", "agent_action_name", "event"]) {
    const name = payload[field]
    if (typeof name === "string" && Object.hasOwn(adapters[agent].events, name)) return name
  }
  const same = Object.entries(adapters[agent].events).find(([, { event }]) => event === canonical)
  return same?.[0] ?? canonical
}

const isAgent = (agent: string | null): agent is Agent => agent !== null && Object.hasOwn(adapters, agent)

/** Whose payload it is: hooks are copied from one agent's settings to another's, and agents send each other's payloads. */
const senderOf = (agent: string | null, payload: JsonObject): Agent | undefined => {
  if (Object.hasOwn(payload, "prompt_id") && Object.hasOwn(payload, "hook_event_name")) return "claude-code"
  return isAgent(agent) ? agent : undefined
}

type Read = {
  readonly tool: Tool | undefined
  readonly events: readonly Dispatched[]
  readonly toolUseId: string | null
  readonly cwd: string | null
}

/** The payload as its adapter reads it: the fact repeats only the beginning of every text. */
const decoded = (agent: string | null, fact: Buffered, payload: JsonObject | undefined): Read => {
  const plain = { tool: fact.tool, events: fact.events, toolUseId: fact.toolUseId, cwd: null }
  const sender = payload && senderOf(agent, payload)
  if (payload === undefined || sender === undefined) return plain
  const whole = adapters[sender].decode(nativeOf(sender, payload, fact.events[0]?.event ?? ""), payload)
  // A payload of another shape than its agent's: what was made of it when it came is all there is.
  return whole.tool === undefined && fact.tool !== undefined ? { ...plain, cwd: whole.cwd } : whole
}

const wrapper = /^\s*<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>\s*)?$/
const stopped =
  /^(?:The user doesn't want to|\[Request interrupted|The user wants to clarify|(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call|Request interrupted))|\b(?:aborted|interrupted|cancell?ed|rejected) by (?:the )?user\b/i
const denied =
  /^(?:PreToolUse:\S+ hook (?:error|stopped|blocking)|Hook PreToolUse|Permission (?:to use|for this)|Claude requested permissions|This command requires approval|Command blocked by PreToolUse hook|.{0,80} hook returned blocking error)/

const longestAsked = 400

const askedOf = (input: Json): string => {
  if (!isObject(input)) return ""
  const { file_path: _, description: __, timeout: ___, ...rest } = input
  const old = stringAt(rest, "old_string")
  if (old !== undefined)
    return (
      old
        .split("\n")
        .map((line) => line.trim())
        .find((line) => line !== "")
        ?.slice(0, 80) ?? ""
    )
  return JSON.stringify(rest).slice(0, longestAsked)
}

const longestWrote = 4000

const wroteOf = ({ command, input, kind }: Tool): string => {
  if (kind === "shell") return (command ?? "").slice(0, longestWrote)
  if (kind !== "edit") return ""
  const texts = ["new_string", "content", "command", "input", "new_source"].flatMap(
    (field) => stringAt(input, field) ?? []
  )
  const edits = isObject(input) && Array.isArray(input["edits"]) ? input["edits"] : []
  return [...texts, ...edits.flatMap((edit: Json) => stringAt(edit, "new_string") ?? [])]
    .join("\n")
    .slice(0, longestWrote)
}

const tookOf = ({ input, kind }: Tool): string => {
  if (kind !== "edit") return ""
  const edits = isObject(input) && Array.isArray(input["edits"]) ? input["edits"] : []
  const patches = ["command", "input"].flatMap((field) => stringAt(input, field)?.match(/^-.*$/gm) ?? [])
  return [input, ...edits]
    .flatMap((edit: Json) => stringAt(edit, "old_string") ?? [])
    .concat(patches)
    .join("\n")
    .slice(0, longestWrote)
}

const outcomeOf = (tool: Tool, id: string, cwd: string | null, told: Told, text: string): ToolOutcome => ({
  id,
  name: tool.name,
  kind: tool.kind,
  command: tool.kind === "shell" ? tool.command : undefined,
  paths: tool.paths ?? (tool.path === undefined ? [] : [tool.path]),
  cwd,
  told,
  exitCode: tool.exitCode,
  text: boundedText(text),
  asked: askedOf(tool.input),
  wrote: wroteOf(tool),
  took: tookOf(tool)
})

/** MCP servers report failures as ordinary results: `{"error": …}` beside nothing else. */
const answersError = (response: Json | undefined): boolean => {
  if (typeof response === "string") {
    const text = response.replace(/^Wall time: .*\n(?:.*\n)?Output:\n/, "")
    return /^\s*\{\s*"error"\s*:\s*(?:"|\{)/.test(text) && !/"(?:data|result)"\s*:/.test(text)
  }
  if (Array.isArray(response)) return response.length === 1 && answersError(textOf(response))
  if (!isObject(response)) return false
  const error = response["error"]
  return (typeof error === "string" && error !== "") || isObject(error)
}

const endOf = (tool: Tool, failure: Dispatched | undefined): Told => {
  const text = textOf(tool.response)
  if (failure?.data["interrupted"] === true || stopped.test(text)) return "stopped"
  if (denied.test(text) && (failure !== undefined || tool.ok === false)) return "denied"
  if (failure !== undefined || tool.ok === false || (tool.exitCode ?? 0) !== 0) return "failed"
  if (tool.kind === "mcp" && answersError(tool.response)) return "failed"
  if (tool.kind === "shell" && tool.exitCode === undefined) return "untold"
  return "ok"
}

const dataText = (data: JsonObject | undefined, name: string): string => {
  const value = data?.[name]
  return typeof value === "string" ? value : ""
}

const ended = ({ cwd, events, tool: read, toolUseId }: Read, id: string): Observation => {
  const find = (name: string) => events.find(({ event }) => event === name)
  const error = find("error.observed")
  const ran = find("command.ran")
  const edited = events.flatMap(({ data, event }) =>
    event === "file.edited" ? [dataText(data, "path")] : []
  )
  const tool: Tool = read ?? {
    kind: ran === undefined ? (edited.length > 0 ? "edit" : "other") : "shell",
    name: dataText(error?.data, "tool"),
    input: null,
    ...(ran === undefined ? {} : { command: dataText(ran.data, "command") })
  }
  const failure =
    find("tool.failure") ?? (tool.ok === undefined && tool.exitCode === undefined ? error : undefined)
  const printed = dataText(ran?.data, "output")
  const message = dataText(error?.data, "message")
  const text = printed !== "" ? printed : message !== "" ? message : textOf(tool.response)
  const outcome = outcomeOf(
    tool,
    toolUseId ?? id,
    cwd,
    endOf({ ...tool, response: tool.response ?? text }, failure),
    text
  )
  return {
    type: "ended",
    outcome: edited.length > 0 && outcome.paths.length === 0 ? { ...outcome, paths: edited } : outcome
  }
}

/** What only the batch tells of a call: refused before it ran, stopped, or not let run. */
const batchTold = (text: string): Told => {
  if (stopped.test(text)) return "stopped"
  if (wrapper.test(text)) return "rejected"
  if (denied.test(text)) return "denied"
  return "untold"
}

const batch = (payload: JsonObject | undefined): Observation => {
  const calls = payload?.["tool_calls"]
  if (!Array.isArray(calls)) return { type: "batch", outcomes: [] }
  const agentTool = (call: Json): Tool => {
    const input = isObject(call) ? (call["tool_input"] ?? null) : null
    const { tool } = adapters["claude-code"].decode("PreToolUse", {
      tool_name: stringAt(call, "tool_name") ?? "",
      tool_input: input
    })
    return tool as Tool
  }
  const cwd = typeof payload?.["cwd"] === "string" ? payload["cwd"] : null
  return {
    type: "batch",
    outcomes: calls.flatMap((call: Json): readonly ToolOutcome[] => {
      const id = stringAt(call, "tool_use_id")
      if (id === undefined || !isObject(call)) return []
      const said = textOf(call["tool_response"])
      const text = wrapper.exec(said)?.[1] ?? said
      return [outcomeOf(agentTool(call), id, cwd, batchTold(said), text)]
    })
  }
}

/** What an agent's transcript tells of one call: its beginning and its end. */
export interface ObservedCall {
  readonly started: ToolOutcome
  /** Undefined where none is told. */
  readonly ended: ToolOutcome | undefined
  /** With its answer, where it ran to its end. */
  readonly tool?: Tool | undefined
}

const notRun: readonly CallEnd[] = ["denied", "rejected", "stopped"]

/** Read by the agent's adapter, from the payloads that a hook would have been given. */
export const observedCall = (fact: CallObserved, agent: string | null): ObservedCall | undefined => {
  if (!isTranscribed(agent)) return undefined
  const decode = ({ agentEvent, payload }: Rebuilt): Read => adapters[agent].decode(agentEvent, payload)
  const { call, cwd = null, exitCode, response, told } = fact
  const asked = decode(rebuiltBefore(agent, fact, null))
  const started = outcomeOf(asked.tool ?? nameless, call, cwd, "untold", "")
  if (notRun.includes(told))
    return {
      started,
      ended: { ...started, told: told as Told, text: boundedText(textOf(response)) }
    }
  const after = rebuiltAfter(agent, fact, null)
  if (after === undefined) return { started, ended: undefined }
  const read = decode(after)
  const observation = ended(read, call)
  if (observation.type !== "ended") return { started, ended: undefined }
  const { outcome } = observation
  const end = told === "running" ? "untold" : outcome.told === "stopped" ? "stopped" : (told as Told)
  return {
    started,
    tool: read.tool,
    ended: {
      ...outcome,
      id: call,
      // An answer that says of itself that it failed did, whatever the agent makes of it.
      told: end === "ok" && outcome.told === "failed" ? "failed" : end,
      exitCode: exitCode ?? outcome.exitCode
    }
  }
}

const nameless: Tool = { kind: "other", name: "", input: null }

/** What may tell of calls, under whichever agent's name it came. */
const mayTell = (event: string | undefined): boolean =>
  event !== undefined && (callEvents.has(event) || event.startsWith("agent."))

export interface Observed {
  readonly observation: Observation
  /** As its agent sent it; undefined where it was not looked at, or cannot be read. */
  readonly payload?: JsonObject | undefined
  /** As the adapter reads it from the whole payload. */
  readonly tool?: Tool | undefined
}

/** `invocation`: names the call where the agent gives it no id. Undefined where the payload tells nothing of calls. */
export const observeWhole = (
  fact: Buffered,
  agent: string | null,
  invocation: string
): Observed | undefined => {
  const recorded = fact.events[0]?.event
  if (recorded === "session.end") return { observation: { type: "left" } }
  if (recorded !== undefined && turnEvents.has(recorded)) return { observation: { type: "turn" } }
  if (!mayTell(recorded)) return undefined
  const payload = parsed(fact.payload)
  const read = decoded(agent, fact, payload)
  const { tool } = read
  const first = read.events[0]?.event ?? ""
  if (!callEvents.has(first)) return undefined
  if (first === "tool.before" || first === "tool.permission") {
    const outcome = outcomeOf(read.tool ?? nameless, read.toolUseId ?? invocation, read.cwd, "untold", "")
    const asked = first === "tool.permission" ? { isAsked: true as const } : {}
    return { payload, tool, observation: { type: "started", outcome, ...asked } }
  }
  const observation = first === "tool.batch" ? batch(payload) : ended(read, invocation)
  return { payload, tool, observation }
}

export const observe = (fact: Buffered, agent: string | null, invocation: string): Observation | undefined =>
  observeWhole(fact, agent, invocation)?.observation
