/** What any program may send to hooktape by itself: canonical JSON. Everything is optional. */
import type { EventData } from "../../../events/eventData.ts"
import type { Fields, Shape } from "../shape.ts"

const tool = {
  fields: {
    name: "string",
    "kind?": { oneOf: ["shell", "read", "edit", "search", "web", "mcp", "task", "other"] },
    "command?": "string",
    "path?": "string",
    "paths?": { listOf: "string" },
    "exitCode?": "number",
    "ok?": "boolean",
    "input?": "json",
    "response?": "json"
  }
} as const satisfies Shape

/** These fields, and beside them those of the event as in `EventData`. */
export const rawPayload = {
  "session?": "string",
  "cwd?": "string",
  "toolUseId?": "string",
  "tool?": tool
} as const satisfies Fields

const components: Shape = {
  listOf: { fields: { name: "string", weight: "number", "score?": "number", reason: "string" } }
}

const change: Shape = { oneOf: ["create", "update", "delete", "rename"] }

/** The fields of each event; a program may send more. */
export const rawEventFields: { readonly [E in keyof EventData]: Fields } = {
  "session.start": { source: "string", "model?": "string" },
  "session.setup": { trigger: "string" },
  "session.end": { reason: "string" },
  "session.ending": { reason: "string" },
  "prompt.submit": { prompt: "string" },
  "prompt.expand": { prompt: "string", command: "string", arguments: "string" },
  "model.before": { "model?": "string" },
  "model.after": { text: "string", "final?": "boolean" },
  "tool.before": {},
  "tool.permission": { denied: "boolean", "reason?": "string" },
  "tool.after": { "durationMs?": "number" },
  "tool.failure": { error: "string", interrupted: "boolean", "durationMs?": "number" },
  "tool.batch": { tools: { listOf: { fields: { ...tool.fields, kind: "string", input: "json" } } } },
  "turn.stop": { stopHookActive: "boolean", "lastMessage?": "string" },
  "turn.error": { error: "string", "details?": "string" },
  "turn.interrupt": {},
  "subagent.start": { agentId: "string", agentType: "string" },
  "subagent.stop": {
    agentId: "string",
    agentType: "string",
    stopHookActive: "boolean",
    "lastMessage?": "string"
  },
  "compact.before": { trigger: "string", "instructions?": "string" },
  "compact.after": { trigger: "string", "summary?": "string" },
  notify: { message: "string", "kind?": "string", "title?": "string" },
  "file.edited": { path: "string", language: "string", change, "from?": "string" },
  "command.ran": { command: "string", "exitCode?": "number", output: "string" },
  "error.observed": { signature: "string", message: "string", "tool?": "string" },
  "response.given": { text: "string" },
  "feedback.given": { polarity: { oneOf: ["positive", "negative"] }, about: "string" },
  "checkpoint.before": { trigger: "string", quality: "number", components },
  "checkpoint.after": {
    checkpoint: "string",
    trigger: "string",
    quality: "number",
    components,
    "validated?": "boolean"
  },
  "search.before": { query: "string" },
  "reflection.before": {
    text: "string",
    kind: "string",
    tags: { listOf: "string" },
    "importance?": "number",
    source: "string"
  }
}
