/** A day of hook calls as the log has it: of one agent or another, with hooks that speak, block and fail. */
import * as Effect from "effect/Effect"
import { type InvocationId, type Sources, uuidv7 } from "../../events/ids.ts"
import { blockingFeedback, type JsonObject, modelContext } from "../../events/intents.ts"
import { adapters } from "../../src/agents/adapters.ts"
import type { Registered } from "../../src/hooks/Registered.ts"
import { EventLog } from "../../src/log/EventLog.ts"
import { redactDraft } from "../../src/redact/redact.ts"
import { makeRecorder } from "../../src/runtime/recorder.ts"
import { anyHook } from "./anyHook.ts"
import { tell } from "./world.ts"

export const began = 1_790_000_000_000
const registry: readonly Registered[] = [
  {
    hook: anyHook({ name: "told", on: "prompt.submit", run: () => modelContext("CONTEXT-OF-A-HOOK") }),
    source: "told.ts"
  },
  {
    hook: anyHook({
      name: "guard",
      on: "tool.before",
      when: { command: /rm/ },
      run: () => blockingFeedback("REASON-OF-A-HOOK")
    }),
    source: "policy acme 1.0.0: guard.ts"
  },
  {
    hook: anyHook({
      name: "broken",
      on: "tool.after",
      run: () => {
        throw new TypeError("WORDS-OF-AN-ERROR")
      }
    }),
    source: "broken.ts"
  }
]

export interface Call {
  readonly event: string
  readonly more?: JsonObject
  /** What of the environment is recorded. */
  readonly env?: Readonly<Record<string, string>>
}

export const shell = (
  event: string,
  id: string,
  command: string,
  more: JsonObject = {},
  env: Readonly<Record<string, string>> = {}
): Call => ({
  event,
  env,
  more: { tool_name: "Bash", tool_use_id: id, tool_input: { command }, ...more }
})

export const day: readonly Call[] = [
  { event: "SessionStart", more: { source: "startup" } },
  { event: "UserPromptSubmit", more: { prompt: "WORDS-OF-A-HUMAN" } },
  shell("PreToolUse", "t1", "ls"),
  shell("PostToolUse", "t1", "ls", { tool_response: { stdout: "WORDS-OF-A-TOOL" } }),
  shell("PreToolUse", "t2", "rm -rf /"),
  { event: "Stop", more: { stop_hook_active: false } },
  { event: "UserPromptSubmit", more: { prompt: "again" } },
  shell("PreToolUse", "t3", "make"),
  shell("PostToolUseFailure", "t3", "make", { error: "Exit code 2" }),
  { event: "Stop", more: { stop_hook_active: false } },
  { event: "SessionEnd", more: { reason: "exit" } }
]

/** Puts the calls on the log, a second apart. `prompts`: whether the agent names its turns. */
export const record = Effect.fnUntraced(function* (
  calls: readonly Call[],
  prompts: boolean,
  session = "s-1"
) {
  const log = yield* EventLog
  let prompt = 0
  let nth = 0
  for (const [at, { env, event, more = {} }] of calls.entries()) {
    if (event === "UserPromptSubmit") prompt++
    const isTurn = !event.startsWith("Session")
    const now = began + at * 1000
    const id = uuidv7(now, new Uint8Array(10).fill(at + session.length)) as InvocationId
    const sources: Sources = {
      now: () => now,
      random: (count) =>
        Uint8Array.from({ length: count }, (_, byte) =>
          byte === 0 ? nth++ : byte === 1 ? session.length : at
        )
    }
    const payload = {
      session_id: session,
      cwd: "/home/somebody/site",
      transcript_path: "/home/somebody/t.jsonl",
      hook_event_name: event,
      ...(prompts && isTurn ? { prompt_id: `p-${prompt}` } : {}),
      ...more,
      ...("tool_name" in more && !prompts ? { tool_name: "run_shell_command" } : {})
    }
    const agent = prompts ? "claude-code" : "qwen-code"
    const told = yield* Effect.promise(() =>
      tell({
        adapter: adapters[agent],
        agentEvent: event,
        payload,
        registry,
        invocation: id,
        project: "/home/somebody/site"
      })
    )
    const dress = makeRecorder(sources, id, { agent, agentEvent: event, project: "/home/somebody/site" })
    for (const fact of told.log) {
      const own =
        fact.type === "INVOCATION_OPENED"
          ? { ...fact, invocation: id, agent, agentEvent: event, env: env ?? fact.env }
          : fact
      const draft = dress(own)
      yield* log.append(draft.stream, "any", [redactDraft(draft)])
    }
  }
})
