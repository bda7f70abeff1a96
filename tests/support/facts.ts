/** Facts of an invocation for tests: one plausible value of each type, changed where a test cares. */
import type { InvocationFact, Planned, ServiceCalled } from "../../events/facts.ts"
import type { FactId, InvocationId, SessionId } from "../../events/ids.ts"
import type { Intent, JsonObject } from "../../events/intents.ts"
import { noMarks, type Recorded } from "../../events/Recorded.ts"

type FactOf<T extends InvocationFact["type"]> = Extract<InvocationFact, { type: T }>

export const plannedHandler = (handler: string, index: number, more: Partial<Planned> = {}): Planned => ({
  handler,
  event: "tool.before",
  index,
  priority: 500,
  deadlineMs: 1000,
  onFailure: "allow",
  ...more
})

const place = ({ handler, event, index }: Planned) => ({ handler, event, index })

export const opened = (more: Partial<FactOf<"INVOCATION_OPENED">> = {}): FactOf<"INVOCATION_OPENED"> => ({
  type: "INVOCATION_OPENED",
  invocation: "01890000-0000-7000-8000-000000000000" as InvocationId,
  agent: "raw",
  agentEvent: "tool.before",
  transport: "entry",
  cwd: "/project",
  project: "/project",
  env: {},
  runtime: "node",
  deadlineMs: 5000,
  ...more
})

/** That this invocation was opened, as the log gives it at this position. */
export const openedAt = (
  invocation: string,
  position: number,
  more: Partial<FactOf<"INVOCATION_OPENED">>
): Recorded => ({
  ...noMarks,
  id: `fact-${position}` as FactId,
  stream: `invocation/${invocation}`,
  type: "INVOCATION_OPENED",
  schemaVersion: 1,
  at: 0,
  cause: null,
  position,
  version: 1,
  source: "test",
  recordedAt: 0,
  known: true,
  data: opened(more)
})

export const buffered = (more: Partial<FactOf<"PAYLOAD_BUFFERED">> = {}): FactOf<"PAYLOAD_BUFFERED"> => ({
  type: "PAYLOAD_BUFFERED",
  bytes: 2,
  payload: "{}",
  session: "session" as SessionId,
  toolUseId: null,
  events: [{ event: "tool.before", data: {} }],
  ...more
})

export const rejected = (reason: FactOf<"PAYLOAD_REJECTED">["reason"]): FactOf<"PAYLOAD_REJECTED"> => ({
  type: "PAYLOAD_REJECTED",
  reason,
  detail: "standard input was empty",
  bytes: 0,
  digest: ""
})

export const planned = (handlers: readonly Planned[], notices?: readonly Intent[]): InvocationFact => ({
  type: "HANDLERS_PLANNED",
  handlers,
  left: [],
  ...(notices ? { notices } : {})
})

export const started = (handler: Planned, attempt = 1): InvocationFact => ({
  type: "HANDLER_STARTED",
  ...place(handler),
  attempt
})

export const succeeded = (
  handler: Planned,
  intents: readonly Intent[] = [],
  patch?: JsonObject
): InvocationFact => ({
  type: "HANDLER_SUCCEEDED",
  ...place(handler),
  attempt: 1,
  intents,
  ...(patch ? { patch } : {}),
  ms: 1
})

export const failed = (handler: Planned, message = "boom"): InvocationFact => ({
  type: "HANDLER_FAILED",
  ...place(handler),
  attempt: 1,
  error: { name: "Error", message },
  policy: handler.onFailure,
  ms: 1
})

export const timedOut = (handler: Planned): InvocationFact => ({
  type: "HANDLER_TIMED_OUT",
  ...place(handler),
  attempt: 1,
  deadlineMs: handler.deadlineMs,
  policy: handler.onFailure,
  ms: 1
})

export const skipped = (handler: Planned, reason = "late"): InvocationFact => ({
  type: "HANDLER_SKIPPED",
  ...place(handler),
  reason
})

export const called = (
  { handler, event, index }: Planned,
  over: Partial<ServiceCalled> = {}
): ServiceCalled => ({
  type: "SERVICE_CALLED",
  handler,
  event,
  index,
  attempt: 1,
  call: 1,
  service: "files.exists",
  input: { path: "a.txt" },
  result: "file",
  ms: 1,
  ...over
})

export const noise = (stream: "stdout" | "stderr", text: string, handler?: string): InvocationFact => ({
  type: "NOISE_CAPTURED",
  stream,
  bytes: Buffer.byteLength(text),
  text,
  ...(handler === undefined ? {} : { handler })
})

export const delivered = (exitCode = 0): InvocationFact => ({
  type: "REPLY_DELIVERED",
  stdout: "",
  stderr: "",
  exitCode,
  channels: []
})

export const undelivered = (exitCode = 0): InvocationFact => ({
  type: "DELIVERY_FAILED",
  stdout: "",
  stderr: "",
  exitCode,
  channels: [],
  error: { name: "Error", message: "write EPIPE" }
})

export const exited = (code = 0): InvocationFact => ({ type: "EXITED", code, ms: {} })
