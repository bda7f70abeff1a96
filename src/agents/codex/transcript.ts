/**
 * Codex's rollouts, of every shape they had: calls and outputs as response items, and beside them events that tell the exit code. A thread that
 * was forked off begins with a copy of its parent's history, with new times: that is passed over.
 */
import { join } from "node:path"
import type { JsonObject } from "../../../events/intents.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { present } from "../decode.ts"
import { isObject } from "../shape.ts"
import { textOf } from "../toolCall.ts"
import { clipText } from "../transcripts/clipped.ts"
import { listAt, numberAt, objectAt, textAt } from "../transcripts/rows.ts"
import type { Listener, TranscriptFormat, TranscriptReader } from "../transcripts/Transcript.ts"
import { silentEvents, silentItems } from "./silentKinds.ts"
import { makeThread } from "./transcriptThread.ts"
import { makeWork } from "./transcriptWork.ts"

const rowTypes: ReadonlySet<string> = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "token_usage_record"
])
const silentRows: ReadonlySet<string> = new Set([
  "world_state",
  "compacted",
  "inter_agent_communication_metadata",
  "ghost_snapshot"
])
/** Of response items, in a file of before there were any others. */
const bareItems: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call"
])

/** Text that stands in the user's place and nobody typed. */
const context =
  /^\s*<(?:environment_context|user_instructions|permissions|turn_aborted|skill|INSTRUCTIONS|subagent_notification)|^\s*# AGENTS\.md/

/** A process that was begun so much earlier in the file is no reason to read all of it again. */
const longestWaitBytes = 8_388_608

const makeReader = (listener: Listener): TranscriptReader => {
  const thread = makeThread()
  const work = makeWork(listener, thread)
  let hasUserEvents = false
  let usageSeen = 0

  const tell = (identity: string, fact: ObservedFact): void =>
    listener.seen({ fact, at: thread.at, session: thread.session, identity: `${thread.session}/${identity}` })

  const prompt = (text: string): void => {
    if (text.trim() === "") return
    const { omitted, value } = clipText(text)
    tell(`prompt/${thread.place().turn ?? ""}/${thread.at}/${value.length}`, {
      type: "PROMPT_OBSERVED",
      source: "transcript",
      ...thread.place(),
      text: value,
      ...(omitted === 0 ? {} : { omitted })
    })
  }

  const item = (payload: JsonObject) => {
    const { type } = payload
    const call = textAt(payload, "call_id") ?? textAt(payload, "id")
    switch (type) {
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call":
        return call === undefined ? undefined : work.asked(call, payload)
      case "function_call_output":
      case "custom_tool_call_output":
      case "local_shell_call_output":
        return call === undefined ? undefined : work.output(call, payload["output"])
      case "message": {
        const text = textOf(payload["content"])
        const role = textAt(payload, "role")
        if (role === "assistant") answer(text)
        else if (role === "user" && !hasUserEvents && !context.test(text)) prompt(text)
        return
      }
      default:
        if (!silentItems.has(String(type))) listener.unknown(`response_item of kind "${type}"`)
    }
  }

  const answer = (text: string): void => {
    if (text.trim() === "") return
    const { omitted, value } = clipText(text)
    tell(`answer/${thread.place().turn ?? ""}/${thread.at}/${value.length}`, {
      type: "ANSWER_OBSERVED",
      source: "transcript",
      ...thread.place(),
      text: value,
      model: thread.model,
      ...(omitted === 0 ? {} : { omitted })
    })
  }

  const used = (identity: string, usage: JsonObject): void => {
    const cached = numberAt(usage, "cached_input_tokens") ?? 0
    const input = Math.max(0, (numberAt(usage, "input_tokens") ?? 0) - cached)
    const out = numberAt(usage, "output_tokens") ?? 0
    if (input + out + cached === 0) return
    tell(identity, {
      type: "USAGE_OBSERVED",
      source: "transcript",
      ...thread.place(),
      model: thread.model,
      input,
      output: out,
      cacheRead: cached,
      ...present("reasoning", numberAt(usage, "reasoning_output_tokens"))
    })
  }

  /** Cumulative: a count that stays as it was repeats the one before. */
  const counted = (payload: JsonObject): void => {
    const info = objectAt(payload, "info")
    const total = numberAt(objectAt(info, "total_token_usage"), "total_tokens")
    const last = objectAt(info, "last_token_usage")
    if (total === undefined || last === undefined || total === usageSeen) return
    usageSeen = total
    used(`usage/${total}`, last)
  }

  const event = (payload: JsonObject) => {
    const { type } = payload
    const call = textAt(payload, "call_id")
    switch (type) {
      case "user_message":
        hasUserEvents = true
        return prompt(textAt(payload, "message") ?? "")
      case "turn_aborted":
        return tell(`interrupt/${textAt(payload, "turn_id") ?? thread.at}`, {
          type: "TURN_INTERRUPTED",
          source: "transcript",
          ...thread.place(),
          why: textAt(payload, "reason") ?? "aborted"
        })
      case "token_count":
        return counted(payload)
      case "exec_command_end":
        return call === undefined ? undefined : work.executed(call, payload)
      case "patch_apply_end":
        return call === undefined ? undefined : work.patched(call, payload)
      case "mcp_tool_call_end":
        return call === undefined ? undefined : work.mcpCalled(call, payload)
      case "item_completed": {
        const done = objectAt(payload, "item")
        const id = textAt(done, "id")
        if (done === undefined || id === undefined) return
        if (done["type"] === "CommandExecution") work.executed(id, done)
        else if (done["type"] === "FileChange") work.patched(id, done)
        else if (done["type"] === "McpToolCall") work.mcpCalled(id, done)
        return
      }
      default:
        if (!silentEvents.has(String(type))) listener.unknown(`event_msg of kind "${type}"`)
    }
  }

  const takeRow = (type: string, payload: JsonObject) => {
    switch (type) {
      case "session_meta":
        return thread.meta(payload)
      case "turn_context":
        thread.beginTurn(textAt(payload, "turn_id"))
        return thread.isCopy ? undefined : thread.inContext(payload)
      case "event_msg":
        if (payload["type"] === "task_started") thread.beginTurn(textAt(payload, "turn_id"))
        return thread.isCopy ? undefined : event(payload)
      case "response_item":
        return thread.isCopy ? undefined : item(payload)
      case "token_usage_record": {
        const usage = objectAt(payload, "usage")
        const id = textAt(payload, "response_id")
        if (thread.isCopy || usage === undefined) return
        return used(`usage/${id ?? thread.at}`, usage)
      }
      default:
    }
  }

  return {
    take: (row, from) => {
      thread.toRow(row, from)
      const type = textAt(row, "type")
      const payload = objectAt(row, "payload")
      if (payload !== undefined && type !== undefined) {
        if (rowTypes.has(type))
          return thread.session === "" && type !== "session_meta" ? undefined : takeRow(type, payload)
        return silentRows.has(type) ? undefined : listener.unknown(`row of kind "${type}"`)
      }
      // The oldest files have the items bare, after one row with the session's id.
      if (type === undefined && textAt(row, "id") !== undefined && thread.session === "")
        return thread.meta(row)
      if (type !== undefined && bareItems.has(type)) return thread.session === "" ? undefined : item(row)
      if (type !== undefined || row["record_type"] === undefined)
        listener.unknown(type === undefined ? "row without a type" : `row of kind "${type}"`)
    },
    end: (isOver) => {
      if (isOver) work.abandon()
    },
    resumeAt: () => {
      const { turnAt } = thread
      return Math.max(Math.min(turnAt, work.earliest() ?? turnAt), turnAt - longestWaitBytes)
    }
  }
}

export const codexTranscript: TranscriptFormat = {
  agent: "codex",
  folders: (home, env) => {
    const own = env["CODEX_HOME"] || join(home, ".codex")
    return [join(own, "sessions"), join(own, "archived_sessions")]
  },
  isTranscript: (path) => /rollout-[^/\\]*\.jsonl$/.test(path),
  isOwn: (head) =>
    head.some(
      (row) =>
        (rowTypes.has(textAt(row, "type") ?? "") && isObject(row["payload"])) ||
        (typeof row["id"] === "string" && "instructions" in row && listAt(row, "messages").length === 0)
    ),
  open: makeReader,
  headRows: 1
}
