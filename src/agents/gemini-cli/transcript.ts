/**
 * Gemini CLI's chats: one document with all messages in older versions, rows in newer ones. The same message is written again as it grows, and
 * all of them anew, with new times, when a session is resumed: what was seen first counts.
 */
import { join } from "node:path"
import type { Json, JsonObject } from "../../../events/intents.ts"
import { present } from "../decode.ts"
import { leadingNumber, textOf } from "../toolCall.ts"
import { clipJson, clipText, longestInput } from "../transcripts/clipped.ts"
import { listAt, numberAt, objectAt, textAt, timeAt } from "../transcripts/rows.ts"
import type { Listener, TranscriptFormat, TranscriptReader } from "../transcripts/Transcript.ts"
import { typed } from "./typed.ts"

const over: ReadonlySet<string> = new Set(["success", "error", "cancelled"])
const messageTypes: ReadonlySet<string> = new Set(["user", "gemini", "info", "error", "warning"])

/** What stands before or around what somebody typed. */
const context = /^\s*<(?:session_context|environment_context|system-reminder)\b/

/** The answer as the model got it, in one of two places. */
const answerOf = (call: JsonObject): JsonObject => {
  const [first] = listAt(call, "result")
  return objectAt(objectAt(first, "functionResponse"), "response") ?? {}
}

/** As the agent answers for a hook that did not let a tool run. */
const blocked = "Tool execution blocked:"

const exitCodeOf = (text: string): number | undefined => {
  const at = text.lastIndexOf("\nExit Code: ")
  return at < 0 ? undefined : leadingNumber(text.slice(at + 12, at + 36))
}

const makeReader = (listener: Listener): TranscriptReader => {
  let session = ""
  let cwd: string | undefined
  let subagent: string | undefined
  /** When each message was first seen. */
  const firstSeen = new Map<string, number>()
  const told = new Set<string>()
  let lastPrompt: string | undefined

  const place = () => ({
    ...present("cwd", cwd),
    ...present("turn", lastPrompt),
    ...present("subagent", subagent)
  })
  const once = (identity: string): boolean => {
    if (told.has(identity)) return false
    told.add(identity)
    return true
  }

  const header = (row: JsonObject): void => {
    session = textAt(row, "sessionId") ?? session
    const directories = row["directories"]
    const first = Array.isArray(directories) ? directories[0] : undefined
    cwd = textAt(row, "cwd") ?? (typeof first === "string" ? first : cwd)
    if (row["kind"] === "subagent") subagent = session
  }

  const call = (one: JsonObject, message: string, begun: number): void => {
    const id = textAt(one, "id")
    const status = textAt(one, "status") ?? ""
    if (id === undefined || !over.has(status) || !once(`call/${id}`)) return
    const name = textAt(one, "name") ?? ""
    const answer = answerOf(one)
    const text = textOf(answer["output"] ?? answer["error"] ?? one["resultDisplay"])
    const exitCode =
      name === "run_shell_command" ? (exitCodeOf(text) ?? (status === "success" ? 0 : undefined)) : undefined
    const isFailed = status === "error" || (exitCode ?? 0) !== 0
    const isDenied = status === "error" && text.startsWith(blocked)
    const display = one["resultDisplay"]
    const response: Json = {
      llmContent: name === "run_shell_command" ? `<untrusted_context>\n${text}\n</untrusted_context>` : text,
      returnDisplay: display ?? text,
      ...(status === "error"
        ? { error: { message: textOf(answer["error"] ?? text), type: "tool_error" } }
        : {})
    }
    const input = clipJson(one["args"] ?? {}, longestInput)
    const answered = clipJson(response)
    const omitted = input.omitted + answered.omitted
    listener.seen({
      at: begun,
      session,
      identity: `${session}/${message}/${id}`,
      fact: {
        type: "TOOL_CALL_OBSERVED",
        source: "transcript",
        ...place(),
        call: id,
        name,
        input: input.value,
        response: answered.value,
        told: status === "cancelled" ? "stopped" : isDenied ? "denied" : isFailed ? "failed" : "ok",
        ...present("exitCode", exitCode),
        ended: Math.max(begun, timeAt(one) ?? begun),
        ...(omitted === 0 ? {} : { omitted })
      }
    })
  }

  const usage = (message: JsonObject, id: string, at: number): void => {
    const tokens = objectAt(message, "tokens")
    const model = textAt(message, "model")
    if (tokens === undefined || model === undefined || !once(`usage/${id}`)) return
    const cached = numberAt(tokens, "cached") ?? 0
    const reasoning = numberAt(tokens, "thoughts")
    listener.seen({
      at,
      session,
      identity: `${session}/usage/${id}`,
      fact: {
        type: "USAGE_OBSERVED",
        source: "transcript",
        ...place(),
        model,
        // What was read from the cache is part of the input here.
        input: Math.max(0, (numberAt(tokens, "input") ?? 0) - cached),
        output: (numberAt(tokens, "output") ?? 0) + (reasoning ?? 0),
        cacheRead: cached,
        ...present("reasoning", reasoning)
      }
    })
  }

  const said = (message: JsonObject, id: string, at: number, type: string): void => {
    const isPrompt = type === "user"
    const text = textOf(message["content"])
    const { omitted, value } = clipText(isPrompt ? typed(text) : text)
    if (value.trim() === "") return
    if (isPrompt && context.test(value)) return
    if (!once(`${type}/${id}`)) return
    if (isPrompt) lastPrompt = id
    const common = {
      source: "transcript",
      ...place(),
      text: value,
      ...(omitted === 0 ? {} : { omitted })
    } as const
    listener.seen({
      at,
      session,
      identity: `${session}/${type}/${id}`,
      fact: isPrompt
        ? { type: "PROMPT_OBSERVED", ...common }
        : { type: "ANSWER_OBSERVED", ...common, ...present("model", textAt(message, "model")) }
    })
  }

  const message = (row: JsonObject) => {
    const type = textAt(row, "type") ?? ""
    const id = textAt(row, "id")
    if (id === undefined) return
    if (!messageTypes.has(type)) return listener.unknown(`message of kind "${type}"`)
    const at = firstSeen.get(id) ?? timeAt(row)
    if (at === undefined) return
    firstSeen.set(id, at)
    if (type === "user" || type === "gemini") said(row, id, at, type)
    if (type !== "gemini") return
    usage(row, id, at)
    for (const one of listAt(row, "toolCalls")) call(one, id, at)
  }

  const take = (row: JsonObject): void => {
    const set = objectAt(row, "$set")
    if (set !== undefined) {
      header(set)
      // Old messages with new times: those that were not seen, in a file that was cut, are taken as they are.
      for (const one of listAt(set, "messages")) message(one)
      return
    }
    if (Object.hasOwn(row, "$rewindTo")) return
    if (typeof row["sessionId"] === "string") {
      header(row)
      for (const one of listAt(row, "messages")) message(one)
      return
    }
    if (session === "") return
    if (typeof row["type"] === "string") message(row)
    else listener.unknown("row without a type")
  }

  return {
    take,
    end: () => {},
    // A message may be written again long after it began.
    resumeAt: () => 0
  }
}

export const geminiCliTranscript: TranscriptFormat = {
  agent: "gemini-cli",
  folders: (home) => [join(home, ".gemini", "tmp")],
  isTranscript: (path) => /[/\\]chats[/\\].*\.jsonl?$/.test(path),
  isOwn: (head) =>
    head.some(
      (row) =>
        typeof row["sessionId"] === "string" &&
        (Array.isArray(row["messages"]) ||
          typeof row["projectHash"] === "string" ||
          row["$set"] !== undefined)
    ),
  open: makeReader,
  headRows: 1
}
