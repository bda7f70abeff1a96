/** A call, as lists show it and as its own page does. */
import * as Schema from "effect/Schema"
import { AnyJson, Count, IfKnown, List, Millis, Moment, OrNull, page, paging, Text } from "./shared.ts"

export const Decision = Schema.Literal("block", "ask", "allow")

export const Outcome = Schema.Literal(
  "silent",
  "spoke",
  "blocked",
  "asked",
  "failed",
  "late",
  "unheard",
  "undelivered",
  "rejected",
  "open",
  "lost",
  "replaced"
)
export type Outcome = typeof Outcome.Type

export const ServiceUse = Schema.Struct({
  service: Text,
  subject: Text,
  ms: Millis,
  error: IfKnown(Text),
  /** When it was asked. */
  at: IfKnown(Moment)
})

export const HookRun = Schema.Struct({
  hook: Text,
  event: Text,
  outcome: Schema.Literal("succeeded", "failed", "timed-out", "skipped", "running"),
  attempts: Count,
  at: OrNull(Moment),
  ms: OrNull(Millis),
  decision: OrNull(Decision),
  reason: OrNull(Text),
  said: List(Text),
  services: List(ServiceUse),
  /** The process that ran it. */
  process: IfKnown(Text)
})
export type HookRun = typeof HookRun.Type

export const CallJob = Schema.Struct({
  job: Text,
  hook: Text,
  state: Schema.Literal("queued", "running", "waiting", "done", "dead", "dropped"),
  attempts: Count,
  ms: OrNull(Millis),
  error: OrNull(Text)
})

/** As the timeline has it, with what only newer logs tell. */
export const Call = Schema.Struct({
  invocation: Text,
  position: Count,
  at: Moment,
  agent: OrNull(Text),
  agentEvent: OrNull(Text),
  event: OrNull(Text),
  project: OrNull(Text),
  session: OrNull(Text),
  subagent: OrNull(Text),
  turn: OrNull(Text),
  tool: OrNull(Schema.Struct({ name: Text, kind: Text, use: OrNull(Text) })),
  subject: OrNull(Text),
  outcome: Outcome,
  decision: OrNull(Decision),
  by: OrNull(Text),
  reason: OrNull(Text),
  waitMs: OrNull(Millis),
  own: Schema.Boolean,
  answeredBy: OrNull(Text),
  hooks: List(HookRun),
  jobs: List(CallJob),
  /** What the client's start and pipe added to the agent's wait. */
  clientMs: IfKnown(Millis),
  /** What the human answered to a question. */
  answered: IfKnown(Schema.Literal("allowed", "refused")),
  /** The agent's transcript told of it and no hook did: nobody was asked about it. It is the fact `position`, and no invocation. */
  source: IfKnown(Schema.Literal("transcript")),
  /** How the tool call ended, where the transcript tells. */
  told: IfKnown(Schema.Literal("ok", "failed", "denied", "rejected", "stopped", "running", "untold")),
  exitCode: IfKnown(Schema.Number)
})
export type Call = typeof Call.Type

/**
 * Which calls: `effect` is every call but the silent ones, `slow` those that took 250 ms or more, `trouble` failed, late and lost;
 * `transcript` those that no hook saw, by when they happened. With `hook`, `blocked`, `failed` and `trouble` are what it did itself.
 */
export const Show = Schema.Literal(
  "all",
  "effect",
  "blocked",
  "failed",
  "slow",
  "open",
  "trouble",
  "transcript"
)
export type Show = typeof Show.Type

export const CallsQuery = Schema.Struct({
  show: IfKnown(Show),
  session: IfKnown(Text),
  agent: IfKnown(Text),
  project: IfKnown(Text),
  hook: IfKnown(Text),
  /** Somewhere in subject, hook, reason or id. */
  text: IfKnown(Text),
  from: IfKnown(Schema.NumberFromString),
  to: IfKnown(Schema.NumberFromString),
  ...paging
})

export const Calls = Schema.Struct({
  ...page,
  calls: List(Call),
  /** With `effect`: the silent calls that lie between a call and the next older one of this part. */
  folds: List(Schema.Struct({ before: Count, calls: Count, waitMs: Millis })),
  /** Calls on the log with no filter but the session: what an empty list is compared with. */
  all: Count
})
export type Calls = typeof Calls.Type

/** A fact of the call, with the state before and after it. */
export const CallFrame = Schema.Struct({
  position: Count,
  at: Moment,
  /** Since the first fact. Finer than `at` where the log tells. */
  ms: Millis,
  type: Text,
  before: Text,
  after: Text,
  refused: Schema.Boolean,
  /** What it says, in a line. */
  says: Text,
  data: AnyJson,
  /** What became of the machine's context. */
  changed: List(Schema.Struct({ path: Text, before: AnyJson, after: AnyJson })),
  /** What the machine asked for, and in a line with what. */
  command: OrNull(Schema.Struct({ type: Text, says: Text })),
  /** What was done about it, told from the fact that followed; null where none did. */
  effect: OrNull(Text)
})
export type CallFrame = typeof CallFrame.Type

export const StackFrame = Schema.Struct({
  text: Text,
  isAuthors: Schema.Boolean,
  /** Lines of the author's file around it, as they were when it ran; missing where nobody knows them any more. */
  source: IfKnown(Schema.Struct({ first: Count, hit: Count, lines: List(Text) }))
})
export type StackFrame = typeof StackFrame.Type

/** Where a stack led is shown in its author's own files. */
export const CallError = Schema.Struct({ name: Text, message: Text, stack: List(StackFrame) })
export type CallError = typeof CallError.Type

export const CallHandler = Schema.Struct({
  ...HookRun.fields,
  index: Count,
  /** Since the first fact; null where it never started. */
  startMs: OrNull(Millis),
  policy: OrNull(Text),
  error: OrNull(CallError),
  chain: OrNull(Text)
})
export type CallHandler = typeof CallHandler.Type

export const WhichGot = Schema.Struct({
  whom: Schema.Literal("the model", "the agent", "the human", "the log", "nobody"),
  by: Text,
  text: Text,
  how: Text
})

export const CallDetail = Schema.Struct({
  call: Call,
  /** What happened, in one sentence. */
  sentence: Schema.Struct({
    kind: Schema.Literal("good", "bad", "warn", "quiet"),
    text: Text,
    reason: OrNull(Text)
  }),
  opened: Schema.Struct({
    transport: Text,
    cwd: Text,
    runtime: Text,
    build: OrNull(Text),
    deadlineMs: Count,
    pid: OrNull(Count),
    route: OrNull(Text)
  }),
  states: List(Schema.Struct({ state: Text, ms: OrNull(Millis) })),
  frames: List(CallFrame),
  handlers: List(CallHandler),
  /** Hooks that were not asked, and why. */
  left: List(Schema.Struct({ hook: Text, event: Text, reason: Text })),
  /** Work after the reply: its state changes, since the first fact of the call. */
  jobs: List(
    Schema.Struct({
      ...CallJob.fields,
      /** The last failure, and of which attempt: whole, where `error` is its message alone. */
      failure: OrNull(Schema.Struct({ ...CallError.fields, attempt: Count })),
      runs: List(Schema.Struct({ state: Text, startMs: Millis, ms: OrNull(Millis) }))
    })
  ),
  reached: List(WhichGot),
  /** What came, exactly as recorded; null where nothing was taken. */
  payload: OrNull(Text),
  /** Why it was not taken. */
  rejected: OrNull(Text),
  bytes: Count,
  delivered: OrNull(Schema.Struct({ stdout: Text, stderr: Text, exitCode: Count, error: OrNull(Text) })),
  noise: List(
    Schema.Struct({
      stream: Schema.Literal("stdout", "stderr"),
      bytes: Count,
      text: Text,
      hook: OrNull(Text)
    })
  ),
  /** The calls before and after it on the log. */
  older: OrNull(Text),
  newer: OrNull(Text)
})
export type CallDetail = typeof CallDetail.Type
