/**
 * Claude Code's transcripts: a row for each content block, results in rows of the user, hooks as attachments. The format is the agent's own and
 * changes: what is not known is counted and passed over.
 */
import { isAbsolute, join } from "node:path"
import type { Json, JsonObject } from "../../../events/intents.ts"
import type { ObservedFact } from "../../../events/observedFacts.ts"
import { present } from "../decode.ts"
import { isObject } from "../shape.ts"
import { textOf } from "../toolCall.ts"
import { makeCalls } from "../transcripts/calls.ts"
import { clipText } from "../transcripts/clipped.ts"
import { listAt, numberAt, objectAt, textAt, timeAt } from "../transcripts/rows.ts"
import type { Listener, TranscriptFormat, TranscriptReader } from "../transcripts/Transcript.ts"
import { endOf, isNotification, notifiedBy } from "./transcriptEnds.ts"
import { makeUsage } from "./transcriptUsage.ts"

/** Rows that tell nothing of what happened. */
const silent: ReadonlySet<string> = new Set([
  "agent-name",
  "ai-title",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "bridge-session",
  "content-replacement",
  "cost-state",
  "custom-title",
  "file-history-delta",
  "file-history-snapshot",
  "frame-link",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "queue-operation",
  "summary",
  "tools-used"
])

const interrupted = "[Request interrupted"
/** What stands in the user's rows and nobody typed. */
const automatic =
  /^\s*<(?:local-command|command-name|command-message|bash-(?:input|stdout|stderr)|task-notification|system-reminder|ide_opened_file)/

const hookOutcomes: Readonly<Record<string, "succeeded" | "failed" | "blocked" | "cancelled">> = {
  hook_success: "succeeded",
  hook_non_blocking_error: "failed",
  hook_blocking_error: "blocked",
  hook_cancelled: "cancelled"
}

/** A model may name a file as seen from the working directory; hooks are given its whole path. */
const asHooksGetIt = (input: Json, cwd: string | undefined): Json => {
  if (!isObject(input) || cwd === undefined || !isAbsolute(cwd)) return input
  const files = ["file_path", "notebook_path"].flatMap((field) => {
    const path = input[field]
    return typeof path === "string" && path !== "" && !/^(?:[/~]|[A-Za-z]:[\\/])/.test(path)
      ? [[field, join(cwd, path)] as const]
      : []
  })
  return files.length === 0 ? input : { ...input, ...Object.fromEntries(files) }
}

const isSidechain = (row: JsonObject): boolean => row["isSidechain"] === true

const makeReader = (listener: Listener): TranscriptReader => {
  const calls = makeCalls(listener)
  const usage = makeUsage(listener)
  let turn: string | undefined
  let mode: string | undefined
  /** Where the turn that is under way began. */
  let turnAt = 0
  let session = ""

  const placeOf = (row: JsonObject) => ({
    ...present("cwd", textAt(row, "cwd")),
    ...present("turn", turn),
    ...present("subagent", isSidechain(row) ? (textAt(row, "agentId") ?? "sidechain") : undefined),
    ...present("agentVersion", textAt(row, "version"))
  })
  const tell = (at: number, identity: string, fact: ObservedFact): void =>
    listener.seen({ fact, at, session, identity })

  /** `row`: where and when. `message`: what was said. */
  const assistant = (row: JsonObject, message: JsonObject, at: number, offset: number): void => {
    const id = textAt(message, "id") ?? textAt(row, "uuid") ?? `${session}:${offset}`
    usage.take({ message, id, at, session, offset, place: placeOf(row) })
    const model = textAt(message, "model")
    listAt(message, "content").forEach((block, nth) => {
      switch (block["type"]) {
        case "tool_use": {
          const call = textAt(block, "id")
          if (call === undefined) return
          calls.begin({
            call,
            name: textAt(block, "name") ?? "",
            input: asHooksGetIt(block["input"] ?? null, textAt(row, "cwd")),
            at,
            session,
            identity: `${id}/${call}`,
            offset,
            place: { ...placeOf(row), ...present("permissionMode", mode) }
          })
          return
        }
        case "text": {
          const { omitted, value } = clipText(textAt(block, "text") ?? "")
          if (value.trim() === "" || model === "<synthetic>") return
          tell(at, `answer/${textAt(row, "uuid") ?? id}/${nth}`, {
            type: "ANSWER_OBSERVED",
            source: "transcript",
            ...placeOf(row),
            text: value,
            ...present("model", model),
            ...(omitted === 0 ? {} : { omitted })
          })
          return
        }
        case "thinking":
        case "redacted_thinking":
        case "image":
        case "fallback":
        case "server_tool_use":
        case "web_search_tool_result":
          return
        default:
          listener.unknown(`content of kind "${String(block["type"])}"`)
      }
    })
  }

  const notified = (row: JsonObject, text: string, at: number): void => {
    const told = notifiedBy(text)
    if (told === undefined) return
    const { call, summary, ...end } = told
    tell(at, `settled/${call}/${end.told}/${end.exitCode ?? ""}`, {
      type: "TOOL_CALL_SETTLED",
      source: "transcript",
      ...placeOf(row),
      call,
      ...end,
      ...(summary === "" ? {} : { response: clipText(summary).value })
    })
  }

  const prompt = (row: JsonObject, text: string, at: number, offset: number): void => {
    const uuid = textAt(row, "uuid") ?? `${session}:${offset}`
    if (text.trimStart().startsWith(interrupted)) {
      tell(at, `interrupt/${uuid}`, {
        type: "TURN_INTERRUPTED",
        source: "transcript",
        ...placeOf(row),
        why: clipText(text.trim(), 200).value
      })
      return
    }
    const isTyped = !(row["isMeta"] === true || row["isCompactSummary"] === true || automatic.test(text))
    if (!isTyped && (row["isMeta"] === true || /^\s*<(?:local-command|command-|bash-)/.test(text))) return
    if (isTyped && !isSidechain(row)) {
      turn = textAt(row, "promptId") ?? uuid
      mode = textAt(row, "permissionMode") ?? mode
      turnAt = offset
    }
    const { omitted, value } = clipText(text)
    tell(at, `prompt/${uuid}`, {
      type: "PROMPT_OBSERVED",
      source: "transcript",
      ...placeOf(row),
      text: value,
      // What a subagent is told, its parent wrote.
      ...(isTyped && !isSidechain(row) ? {} : { automatic: true }),
      ...(omitted === 0 ? {} : { omitted })
    })
  }

  const user = (row: JsonObject, message: JsonObject, at: number, offset: number): void => {
    const results = listAt(message, "content").filter(({ type }) => type === "tool_result")
    for (const block of results) {
      const call = textAt(block, "tool_use_id")
      if (call !== undefined) calls.end(call, ({ name }) => ({ at, ...endOf(name, block, row) }))
    }
    if (results.length > 0) return
    const text = textOf(message["content"])
    if (isNotification(text)) notified(row, text, at)
    else if (text.trim() !== "") prompt(row, text, at, offset)
  }

  const hookRun = (row: JsonObject, at: number): void => {
    const run = objectAt(row, "attachment") ?? {}
    const outcome = hookOutcomes[textAt(run, "type") ?? ""]
    if (outcome === undefined) return
    const id = textAt(row, "uuid") ?? `${textAt(run, "toolUseID")}/${textAt(run, "command")}`
    tell(at, `hook/${id}`, {
      type: "HOOK_RUN_OBSERVED",
      source: "transcript",
      ...placeOf(row),
      agentEvent: textAt(run, "hookEvent") ?? "",
      command: clipText(textAt(run, "command") ?? textAt(run, "hookName") ?? "", 500).value,
      outcome,
      ...present("exitCode", numberAt(run, "exitCode")),
      ...present("ms", numberAt(run, "durationMs") ?? numberAt(run, "timeoutMs")),
      said: textOf(run["content"]).length,
      ...present("call", textAt(run, "toolUseID"))
    })
  }

  const attachment = (row: JsonObject, at: number, offset: number) => {
    const inner = objectAt(row, "attachment")
    if (inner?.["type"] !== "queued_command") return hookRun(row, at)
    const text = textOf(inner["prompt"])
    if (isNotification(text)) notified(row, text, at)
    else if (inner["commandMode"] !== "task-notification" && text.trim() !== "") prompt(row, text, at, offset)
  }

  const progress = (row: JsonObject, at: number, offset: number): void => {
    const data = objectAt(row, "data")
    if (data?.["type"] !== "agent_progress") return
    const nested = objectAt(data, "message")
    const message = objectAt(nested, "message")
    if (nested === undefined || message === undefined) return
    const own = { ...row, ...nested, isSidechain: true, ...present("agentId", textAt(data, "agentId")) }
    const when = timeAt(nested) ?? at
    if (nested["type"] === "assistant") assistant(own, message, when, offset)
    else if (listAt(message, "content").some(({ type }) => type === "tool_result"))
      user(own, message, when, offset)
  }

  const system = (row: JsonObject, at: number): void => {
    if (row["subtype"] !== "stop_hook_summary") return
    listAt(row, "hookInfos").forEach((info, nth) => {
      tell(at, `hook/${textAt(row, "uuid") ?? at}/${nth}`, {
        type: "HOOK_RUN_OBSERVED",
        source: "transcript",
        ...placeOf(row),
        agentEvent: "Stop",
        command: clipText(textAt(info, "command") ?? "", 500).value,
        outcome: "succeeded",
        ...present("ms", numberAt(info, "durationMs"))
      })
    })
  }

  return {
    take: (row, offset) => {
      const { type } = row
      if (typeof type !== "string") return listener.unknown("row without a type")
      if (silent.has(type)) {
        const text = type === "queue-operation" ? textOf(row["content"]) : ""
        const at = timeAt(row)
        if (at !== undefined && isNotification(text)) {
          session = textAt(row, "sessionId") ?? session
          notified(row, text, at)
        }
        return
      }
      const at = timeAt(row)
      session = textAt(row, "sessionId") ?? session
      if (at === undefined || session === "") return
      const message = objectAt(row, "message")
      switch (type) {
        case "assistant":
          return message === undefined ? undefined : assistant(row, message, at, offset)
        case "user":
          return message === undefined ? undefined : user(row, message, at, offset)
        case "attachment":
          return attachment(row, at, offset)
        case "progress":
          return progress(row, at, offset)
        case "system":
          return system(row, at)
        default:
          listener.unknown(`row of kind "${type}"`)
      }
    },
    end: (isOver) => {
      usage.end(isOver)
      if (isOver) calls.abandon()
    },
    resumeAt: () => Math.min(turnAt, calls.earliest() ?? turnAt, usage.earliest() ?? turnAt)
  }
}

const rowTypes: ReadonlySet<unknown> = new Set([
  ...silent,
  "assistant",
  "user",
  "attachment",
  "progress",
  "system"
])

export const claudeCodeTranscript: TranscriptFormat = {
  agent: "claude-code",
  folders: (home, env) => [join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "projects")],
  isTranscript: (path) => path.endsWith(".jsonl"),
  isOwn: (head) =>
    head.some(
      (row) =>
        (typeof row["sessionId"] === "string" &&
          rowTypes.has(row["type"]) &&
          !Array.isArray(row["messages"])) ||
        (row["type"] === "summary" && isObject(row) && typeof row["leafUuid"] === "string") ||
        row["type"] === "file-history-snapshot"
    ),
  subagents: (path) => join(path.replace(/\.jsonl$/, ""), "subagents"),
  open: makeReader,
  headRows: 0
}
