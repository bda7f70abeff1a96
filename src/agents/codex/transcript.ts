/**
 * Codex's rollouts, of every shape they had: calls and outputs as response items, and beside them events that tell the exit code. A thread that
 * was forked off begins with a copy of its parent's history, with new times: that is passed over.
 */
import { join } from "node:path"
import { timeOf } from "../../../events/ids.ts"
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { present } from "../decode.ts"
import { isObject } from "../shape.ts"
import { textOf } from "../toolCall.ts"
import { type Ended, makeCalls } from "../transcripts/calls.ts"
import { clipText } from "../transcripts/clipped.ts"
import { listAt, numberAt, objectAt, textAt, timeAt } from "../transcripts/rows.ts"
import type { Listener, TranscriptFormat, TranscriptReader } from "../transcripts/Transcript.ts"
import { silentEvents, silentItems } from "./silentKinds.ts"
import {
  type CodexCall,
  type CodexOutput,
  codexEnd,
  commandOf,
  readCodexCall,
  readCodexOutput
} from "./transcriptCalls.ts"

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

const modes: Readonly<Record<string, string>> = {
  never: "bypassPermissions",
  "on-request": "default",
  "on-failure": "default",
  untrusted: "default"
}

/** Text that stands in the user's place and nobody typed. */
const context =
  /^\s*<(?:environment_context|user_instructions|permissions|turn_aborted|skill|INSTRUCTIONS|subagent_notification)|^\s*# AGENTS\.md/

const isTimed = (id: string | undefined): id is string =>
  id !== undefined && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id)

/** Ids of calls that were seen: an event of another is a call of its own, made by a script. */
const maxKnown = 5000
/** A process that was begun so much earlier in the file is no reason to read all of it again. */
const longestWaitBytes = 8_388_608

interface Running {
  readonly call: string
  readonly text: string
}

const makeReader = (listener: Listener): TranscriptReader => {
  const calls = makeCalls(listener)
  const known = new Set<string>()
  const asked = new Map<string, CodexCall>()
  const running = new Map<number, Running>()
  /** What an event told of a call before its output came. */
  const exits = new Map<string, CodexOutput>()
  let session = ""
  let isCopy = false
  let cwd: string | undefined
  let version: string | undefined
  let turn: string | undefined
  let model = "unknown"
  let mode: string | undefined
  let subagent: string | undefined
  let turnAt = 0
  let offset = 0
  let at = 0
  let hasUserEvents = false
  let usageSeen = 0

  const place = () => ({
    ...present("cwd", cwd),
    ...present("turn", turn),
    ...present("subagent", subagent),
    ...present("agentVersion", version)
  })
  const tell = (identity: string, fact: ObservedFact): void =>
    listener.seen({ fact, at, session, identity: `${session}/${identity}` })

  const know = (call: string): void => {
    known.add(call)
    if (known.size > maxKnown) known.delete(known.values().next().value as string)
  }

  const begin = (call: string, what: CodexCall, begun: number): void => {
    if (known.has(call)) return
    know(call)
    asked.set(call, what)
    calls.begin({
      call,
      name: what.name,
      input: what.input,
      at: begun,
      session,
      identity: `${session}/${call}`,
      offset,
      place: { ...place(), ...present("cwd", what.workdir ?? cwd), ...present("permissionMode", mode) }
    })
  }

  const finish = (call: string, output: CodexOutput, response: Json = output.text): void => {
    const what = asked.get(call)
    asked.delete(call)
    exits.delete(call)
    const ended = at
    calls.end(
      call,
      (): Ended => ({
        at: ended,
        told: codexEnd(what ?? { name: "" }, output),
        exitCode: output.exitCode,
        response
      })
    )
  }

  const meta = (payload: JsonObject): void => {
    const id = textAt(payload, "id") ?? textAt(payload, "session_id")
    if (id === undefined) return
    if (session === "") {
      session = id
      cwd = textAt(payload, "cwd")
      version = textAt(payload, "cli_version")
      const parent = textAt(payload, "parent_thread_id")
      if (parent !== undefined && parent !== id) subagent = id
      isCopy = textAt(payload, "forked_from_id") !== undefined
      return
    }
    // The thread's own again, when it is resumed; another's before a copy of that one's history.
    isCopy = id !== session
    if (!isCopy) cwd = textAt(payload, "cwd") ?? cwd
  }

  /** The first turn that was begun after the thread was is its own. */
  const leaveCopy = (id: string | undefined): void => {
    if (!isCopy) return
    isCopy = isTimed(id) && isTimed(session) ? timeOf(id) < timeOf(session) : id === undefined
  }

  const beginTurn = (id: string | undefined): void => {
    leaveCopy(id)
    if (isCopy) return
    if (id !== turn) turnAt = offset
    turn = id ?? turn
  }

  const prompt = (text: string): void => {
    if (text.trim() === "") return
    const { omitted, value } = clipText(text)
    tell(`prompt/${turn ?? ""}/${at}/${value.length}`, {
      type: "PROMPT_OBSERVED",
      source: "transcript",
      ...place(),
      text: value,
      ...(omitted === 0 ? {} : { omitted })
    })
  }

  const output = (call: string, told: Json | undefined): void => {
    const what = asked.get(call)
    const read = readCodexOutput(told)
    if (what?.polls !== undefined) {
      const owner = running.get(what.polls)
      asked.delete(call)
      if (owner === undefined) return
      const text = owner.text + read.text
      if (read.running !== undefined || read.exitCode === undefined) {
        running.set(what.polls, { ...owner, text: clipText(text).value })
        return
      }
      running.delete(what.polls)
      finish(owner.call, { text, exitCode: read.exitCode })
      return
    }
    if (read.running !== undefined && what?.name === "Bash") {
      running.set(read.running, { call, text: read.text })
      return
    }
    const exit = exits.get(call)?.exitCode
    const isMcp = what?.name.startsWith("mcp__") === true
    const response = isMcp ? jsonOf(textOf(told)) : read.text
    finish(call, { ...present("exitCode", exit), ...read }, response)
  }

  const item = (payload: JsonObject) => {
    const { type } = payload
    const call = textAt(payload, "call_id") ?? textAt(payload, "id")
    switch (type) {
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call": {
        if (call === undefined) return
        const what = readCodexCall(payload)
        // To ask for the output of a process is no call of its own.
        if (what.polls !== undefined) asked.set(call, what)
        else begin(call, what, at)
        return
      }
      case "function_call_output":
      case "custom_tool_call_output":
      case "local_shell_call_output":
        return call === undefined ? undefined : output(call, payload["output"])
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
    tell(`answer/${turn ?? ""}/${at}/${value.length}`, {
      type: "ANSWER_OBSERVED",
      source: "transcript",
      ...place(),
      text: value,
      model,
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
      ...place(),
      model,
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

  const executed = (call: string, payload: JsonObject): void => {
    const text = textAt(payload, "aggregated_output") ?? textAt(payload, "formatted_output") ?? ""
    const exitCode = numberAt(payload, "exit_code")
    const read: CodexOutput = { text, ...present("exitCode", exitCode) }
    const isOwn = !known.has(call)
    if (isOwn) {
      const duration = objectAt(payload, "duration")
      const ms = (numberAt(duration, "secs") ?? 0) * 1000 + (numberAt(duration, "nanos") ?? 0) / 1e6
      const workdir = textAt(payload, "cwd")
      const command = commandOf(payload["command"])
      begin(call, { name: "Bash", input: { command }, ...present("workdir", workdir) }, at - Math.round(ms))
    }
    const held = [...running].find(([, one]) => one.call === call)
    if (held !== undefined) running.delete(held[0])
    if (isOwn || held !== undefined) finish(call, read)
    else exits.set(call, read)
    if (exits.size > maxKnown) exits.clear()
  }

  const patched = (call: string, payload: JsonObject): void => {
    if (known.has(call)) return
    const changes = objectAt(payload, "changes") ?? {}
    const patch = Object.entries(changes).map(([path, change]) => {
      const { content, type, unified_diff: diff } = isObject(change) ? change : {}
      const head = type === "add" ? "Add" : type === "delete" ? "Delete" : "Update"
      return `*** ${head} File: ${path}\n${typeof diff === "string" ? diff : typeof content === "string" ? content : ""}`
    })
    begin(
      call,
      { name: "apply_patch", input: { command: ["*** Begin Patch", ...patch, "*** End Patch"].join("\n") } },
      at
    )
    const isDone = payload["success"] === true || payload["status"] === "completed"
    finish(call, {
      text: isDone ? (textAt(payload, "stdout") ?? "Success.") : (textAt(payload, "stderr") ?? "failed"),
      exitCode: isDone ? 0 : 1
    })
  }

  const mcpCalled = (call: string, payload: JsonObject): void => {
    if (known.has(call)) return
    const invocation = objectAt(payload, "invocation") ?? payload
    const name = `mcp__${textAt(invocation, "server") ?? ""}__${textAt(invocation, "tool") ?? ""}`
    begin(call, { name, input: invocation["arguments"] ?? null }, at)
    const result = payload["result"] ?? null
    const ok = isObject(result) && Object.hasOwn(result, "Ok") ? (result["Ok"] ?? null) : result
    const isError = isObject(ok) && (ok["isError"] === true || Object.hasOwn(ok, "Err"))
    finish(call, { text: isError ? `error ${textOf(ok)}` : textOf(ok) }, ok)
  }

  const event = (payload: JsonObject) => {
    const { type } = payload
    const call = textAt(payload, "call_id")
    switch (type) {
      case "user_message":
        hasUserEvents = true
        return prompt(textAt(payload, "message") ?? "")
      case "turn_aborted":
        return tell(`interrupt/${textAt(payload, "turn_id") ?? at}`, {
          type: "TURN_INTERRUPTED",
          source: "transcript",
          ...place(),
          why: textAt(payload, "reason") ?? "aborted"
        })
      case "token_count":
        return counted(payload)
      case "exec_command_end":
        return call === undefined ? undefined : executed(call, payload)
      case "patch_apply_end":
        return call === undefined ? undefined : patched(call, payload)
      case "mcp_tool_call_end":
        return call === undefined ? undefined : mcpCalled(call, payload)
      case "item_completed": {
        const done = objectAt(payload, "item")
        const id = textAt(done, "id")
        if (done === undefined || id === undefined) return
        if (done["type"] === "CommandExecution") executed(id, done)
        else if (done["type"] === "FileChange") patched(id, done)
        else if (done["type"] === "McpToolCall") mcpCalled(id, done)
        return
      }
      default:
        if (!silentEvents.has(String(type))) listener.unknown(`event_msg of kind "${type}"`)
    }
  }

  const takeRow = (type: string, payload: JsonObject) => {
    switch (type) {
      case "session_meta":
        return meta(payload)
      case "turn_context":
        beginTurn(textAt(payload, "turn_id"))
        if (isCopy) return
        cwd = textAt(payload, "cwd") ?? cwd
        model = textAt(payload, "model") ?? model
        mode = modes[textAt(payload, "approval_policy") ?? ""] ?? mode
        return
      case "event_msg":
        if (payload["type"] === "task_started") beginTurn(textAt(payload, "turn_id"))
        return isCopy ? undefined : event(payload)
      case "response_item":
        return isCopy ? undefined : item(payload)
      case "token_usage_record": {
        const usage = objectAt(payload, "usage")
        const id = textAt(payload, "response_id")
        if (isCopy || usage === undefined) return
        return used(`usage/${id ?? at}`, usage)
      }
      default:
    }
  }

  return {
    take: (row, from) => {
      offset = from
      at = timeAt(row) ?? at
      const type = textAt(row, "type")
      const payload = objectAt(row, "payload")
      if (payload !== undefined && type !== undefined) {
        if (rowTypes.has(type))
          return session === "" && type !== "session_meta" ? undefined : takeRow(type, payload)
        return silentRows.has(type) ? undefined : listener.unknown(`row of kind "${type}"`)
      }
      // The oldest files have the items bare, after one row with the session's id.
      if (type === undefined && textAt(row, "id") !== undefined && session === "") return meta(row)
      if (type !== undefined && bareItems.has(type)) return session === "" ? undefined : item(row)
      if (type !== undefined || row["record_type"] === undefined)
        listener.unknown(type === undefined ? "row without a type" : `row of kind "${type}"`)
    },
    end: (isOver) => {
      if (!isOver) return
      for (const { call, text } of running.values())
        calls.end(call, ({ at: begun }) => ({ at: begun, told: "running", response: text }))
      calls.abandon()
    },
    resumeAt: () => Math.max(Math.min(turnAt, calls.earliest() ?? turnAt), turnAt - longestWaitBytes)
  }
}

const jsonOf = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
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
