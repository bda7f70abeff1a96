/** The adapter of Gemini CLI. */
import type { CanonicalEvent, PassedEvent } from "../../../events/agentEvents.ts"
import { exitCodes } from "../../../events/exitCodes.ts"
import { type Given, present, type Reading, responseGiven } from "../decode.ts"
import { derivedFrom, dispatched } from "../derive.ts"
import type { Dialect } from "../encode.ts"
import { type EventRow, makeAdapter } from "../makeAdapter.ts"
import { stringAt } from "../toolCall.ts"
import type { Wish } from "../ways.ts"
import { type GeminiCliEvent, geminiCliPayloads } from "./payloads.ts"
import { geminiCliRules } from "./rules.ts"
import { readCall } from "./tools.ts"
import { typed } from "./typed.ts"

const rows: { readonly [E in GeminiCliEvent]: EventRow } = {
  SessionStart: { event: "session.start" },
  BeforeAgent: { event: "prompt.submit" },
  BeforeModel: { event: "model.before", register: "on demand" },
  BeforeToolSelection: { event: "agent.BeforeToolSelection", register: "on demand" },
  AfterModel: { event: "model.after", register: "on demand" },
  BeforeTool: { event: "tool.before" },
  AfterTool: { event: "tool.after" },
  AfterAgent: { event: "turn.stop" },
  Notification: { event: "notify" },
  // Fires before every model call, whether or not anything is compressed.
  PreCompress: { event: "compact.before", register: "on demand" },
  SessionEnd: { event: "session.end" }
}

const readEvent = (event: CanonicalEvent | PassedEvent, fields: Given, native: string): Reading => {
  const call = readCall(native, fields)
  switch (event) {
    case "session.start":
      return { event: dispatched(event, { source: fields.text("source") ?? "unknown" }) }
    case "session.end": {
      const reason = fields.text("reason") ?? "unknown"
      return { event: dispatched(event, { reason }), derived: [dispatched("session.ending", { reason })] }
    }
    case "prompt.submit":
      return { event: dispatched(event, { prompt: typed(fields.text("prompt") ?? "") }) }
    case "model.before":
      return { event: dispatched(event, present("model", stringAt(fields.json("llm_request"), "model"))) }
    case "model.after":
      return { event: dispatched(event, { text: stringAt(fields.json("llm_response"), "text") ?? "" }) }
    case "tool.before":
      return { event: dispatched(event, {}), tool: call?.tool }
    case "tool.after":
      return { event: dispatched(event, {}), tool: call?.tool, derived: call ? derivedFrom(call) : [] }
    case "turn.stop": {
      const said = fields.text("prompt_response")
      const stopHookActive = fields.flag("stop_hook_active")
      return {
        event: dispatched(event, { stopHookActive, ...present("lastMessage", said) }),
        derived: responseGiven(said)
      }
    }
    case "compact.before":
      return { event: dispatched(event, { trigger: fields.text("trigger") ?? "unknown" }) }
    case "notify":
      return {
        event: dispatched(event, {
          message: fields.text("message") ?? "",
          ...present("kind", fields.text("notification_type"))
        })
      }
    default:
      return { event: { event, data: {} } }
  }
}

/** What Gemini CLI does not do with a reply that blocks. */
const besideBlock = (wish: Wish, nativeEvent: string): string | undefined => {
  if (wish === "context" && (nativeEvent === "BeforeAgent" || nativeEvent === "AfterTool"))
    return "Gemini CLI leaves it out of a reply that blocks"
  return wish === "hint" && nativeEvent === "BeforeAgent"
    ? "Gemini CLI shows it in place of the reason of a block"
    : undefined
}

/** What does not depend on the event. */
export const dialect: Dialect = {
  readsStderr: true,
  withheld: (wish, { blocks }, _, nativeEvent) =>
    blocks.length > 0 ? besideBlock(wish, nativeEvent) : undefined,
  exit: (code) =>
    code >= exitCodes.blocking
      ? "Gemini CLI takes an exit code of 2 and above for a denial; use blockingFeedback"
      : undefined
}

export const geminiCli = makeAdapter({
  agent: "gemini-cli",
  rows,
  payloads: geminiCliPayloads,
  readEvent,
  rules: geminiCliRules,
  dialect
})
