/** Tool calls as Claude Code tells of them, each the facts that its hooks leave on the log. */
import type { Fact } from "../../events/facts.ts"
import type { Json, JsonObject } from "../../events/intents.ts"
import { claudeCode } from "../../src/agents/claude-code/claudeCode.ts"
import { repeated } from "../../src/runtime/clip.ts"

export interface Told {
  readonly event: string
  readonly payload: JsonObject
  /** What hooktape answered. */
  readonly reply?: Reply
}

export type Reply = "block" | "ask" | "allow"

/** What happens one after the other: the events of a call, or what stands between calls. */
export type Happening = readonly Told[]

let count = 0

const called = (id: string, name: string, input: JsonObject, end?: Told): Happening => {
  const call = { tool_name: name, tool_input: input, tool_use_id: id }
  const before = { event: "PreToolUse", payload: call }
  return end === undefined ? [before] : [before, { event: end.event, payload: { ...call, ...end.payload } }]
}

const nextId = (): string => {
  count += 1
  return `toolu_${count}`
}

export interface CallOptions {
  readonly id?: string
  /** Where the agent says that it is. */
  readonly cwd?: string
  /** What an edit takes out. */
  readonly old?: string
}

const placed = (happening: Happening, { cwd }: CallOptions): Happening =>
  cwd === undefined
    ? happening
    : happening.map(({ event, payload }) => ({ event, payload: { ...payload, cwd } }))

/** A command of the shell. Without an exit code it runs in the background, and nobody knows how it ended. */
export const ran = (
  command: string,
  exitCode: number | undefined,
  output = "",
  options: CallOptions = {}
): Happening => {
  const { id = nextId() } = options
  const running = exitCode === undefined ? { backgroundTaskId: "1" } : {}
  const response: Json = { stdout: output, stderr: "", interrupted: false, ...running }
  const end =
    exitCode === undefined || exitCode === 0
      ? { event: "PostToolUse", payload: { tool_response: response } }
      : {
          event: "PostToolUseFailure",
          payload: { error: `Exit code ${exitCode}\n${output}`, is_interrupt: false }
        }
  return placed(called(id, "Bash", { command }, end), options)
}

export const edited = (path: string, text = "", options: CallOptions = {}): Happening =>
  placed(
    called(
      options.id ?? nextId(),
      "Edit",
      { file_path: path, old_string: options.old ?? "old", new_string: text },
      {
        event: "PostToolUse",
        payload: { tool_response: { filePath: path } }
      }
    ),
    options
  )

/** Refused by the agent before it ran: only the batch tells. */
export const refused = (path: string, message: string, old = "old", id = nextId()): Happening => [
  {
    event: "PostToolBatch",
    payload: {
      tool_calls: [
        {
          tool_name: "Edit",
          tool_input: { file_path: path, old_string: old, new_string: "new" },
          tool_use_id: id,
          tool_response: `<tool_use_error>${message}</tool_use_error>`
        }
      ]
    }
  }
]

/** A command that has no end: nobody tells what became of it. */
export const begun = (command: string, reply?: Reply, id = nextId()): Happening =>
  called(id, "Bash", { command }).map((told) => ({ ...told, ...(reply === undefined ? {} : { reply }) }))

/** A hook does not let it run. */
export const denied = (name: string, input: JsonObject, reason: string, id = nextId()): Happening => [
  ...called(id, name, input),
  {
    event: "PostToolBatch",
    payload: {
      tool_calls: [
        {
          tool_name: name,
          tool_input: input,
          tool_use_id: id,
          tool_response: `PreToolUse:${name} hook error: [guard]: ${reason}`
        }
      ]
    }
  }
]

export const stopped = (command: string, error = "2 failed"): Happening =>
  called(
    nextId(),
    "Bash",
    { command },
    { event: "PostToolUseFailure", payload: { error, is_interrupt: true } }
  )

export const ended: Happening = [{ event: "SessionEnd", payload: { reason: "other" } }]
export const prompted: Happening = [{ event: "UserPromptSubmit", payload: { prompt: "go on" } }]

/** All begin before any of them ends, and they end in the order that is given. */
export const together = (
  calls: readonly Happening[],
  order: readonly number[] = calls.map((_, nth) => nth)
): Happening => [
  ...calls.flatMap(([begin]) => (begin === undefined ? [] : [begin])),
  ...order.flatMap((nth) => calls[nth]?.slice(1) ?? [])
]

const delivered = (reply: Reply): Fact => ({
  type: "REPLY_DELIVERED",
  stdout: JSON.stringify({
    hookSpecificOutput: { permissionDecision: reply === "block" ? "deny" : reply }
  }),
  stderr: "",
  exitCode: 0,
  channels: [
    {
      intent: reply === "block" ? "BLOCKING_FEEDBACK" : "MODEL_CONTEXT.permission",
      handler: "guard",
      channel: "stdout"
    }
  ]
})

/** In the order of the log, all of one invocation. */
export const allOf = (told: Told, session: string | null): readonly Fact[] => [
  factOf(told, session),
  ...(told.reply === undefined ? [] : [delivered(told.reply)])
]

export const factOf = ({ event, payload }: Told, session: string | null): Fact => {
  const whole = { ...payload, hook_event_name: event, session_id: session ?? "", prompt_id: "p" }
  const text = JSON.stringify(whole)
  const decoded = claudeCode.decode(event, whole)
  return {
    type: "PAYLOAD_BUFFERED",
    bytes: text.length,
    payload: text,
    ...repeated(decoded),
    session
  } as unknown as Fact
}
