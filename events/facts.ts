/** What happened: every fact of the log as a schema. Facts only ever gain optional fields. */
import * as Schema from "effect/Schema"
import type { Dispatched, Tool } from "./agentEvents.ts"
import { Findings } from "./findings.ts"
import type { InvocationId, SessionId } from "./ids.ts"
import type { Intent, Json } from "./intents.ts"
import { ObservedFact } from "./observedFacts.ts"

const Id = Schema.String.pipe(Schema.brand("InvocationId")) as unknown as Schema.Schema<InvocationId, string>
const Text = Schema.String
const Count = Schema.Number
const Optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
/** JSON that is kept as it came: checking it again would cost more than it proves. */
const AnyJson = Schema.Unknown as unknown as Schema.Schema<Json, Json>
const Dispatch = Schema.Struct({ event: Text, data: AnyJson }) as unknown as Schema.Schema<
  Dispatched,
  Dispatched
>
const ToolCall = Schema.Unknown as unknown as Schema.Schema<Tool, Tool>

const fact = <T extends string, F extends Schema.Struct.Fields>(type: T, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

export const DiagnosticIntent = fact("DIAGNOSTIC", {
  level: Schema.Literal("debug", "info", "warn", "error"),
  message: Text
})
const IfCannotAsk = Schema.Literal("block", "allow")
export const ModelContextIntent = fact("MODEL_CONTEXT", {
  text: Optional(Text),
  permission: Optional(Schema.Literal("allow", "ask")),
  reason: Optional(Text),
  ifCannotAsk: Optional(IfCannotAsk),
  updatedInput: Optional(Schema.Record({ key: Text, value: AnyJson })),
  replacesInput: Optional(Schema.Boolean),
  updatedOutput: Optional(AnyJson)
})
/** The closed set of five, checked where handlers hand them in. */
export const IntentSchema: Schema.Schema<Intent> = Schema.Union(
  DiagnosticIntent,
  ModelContextIntent,
  fact("USER_HINT", { text: Text }),
  fact("BLOCKING_FEEDBACK", { reason: Text }),
  fact("EXIT_SIGNAL", { code: Schema.Int.pipe(Schema.between(0, 255)) })
)

const Policy = Schema.Literal("allow", "block", "ask")
const Failure = Schema.Struct({ name: Text, message: Text, stack: Optional(Text) })
const handler = { handler: Text, event: Text, index: Count, attempt: Count }
/** The version of a team's policy that brought the handler, as its plan says it. */
const brought = { from: Optional(Text) }

/** What ran a handler: hooktape's own process for the call, the host, its thread, or a process for handlers. */
const RanIn = Schema.Struct({ kind: Schema.Literal("entry", "host", "thread", "handler"), pid: Count })
export type RanIn = typeof RanIn.Type
/** When the handler began, microseconds after the call was taken in, and what ran it. */
const placed = { fromUs: Optional(Count), process: Optional(RanIn) }

/** The native client of a call, which the agent started: what the agent waited before and beside what hooktape measures. */
const Client = Schema.Struct({
  /** When it started, microseconds since 1970. */
  startUs: Count,
  /** Microseconds from then until the call was taken in: the clock of `ms` in EXITED begins there. */
  beforeUs: Optional(Count),
  /** Of a call that it answered itself: microseconds until its reply. */
  tookUs: Optional(Count)
})
export type Client = typeof Client.Type

/** What a hook's `onError` wanted besides, or how it failed itself. */
const rescued = {
  intents: Optional(Schema.Array(IntentSchema)),
  onError: Optional(Failure),
  /** It is the first failure of the hook that the human is told of in this session. */
  hinted: Optional(Schema.Boolean)
}

/** One handler of the plan: all that replay needs to know of the registry. */
export const Planned = Schema.Struct({
  handler: Text,
  event: Text,
  index: Count,
  priority: Count,
  deadlineMs: Count,
  onFailure: Policy,
  /** What its questions mean where the agent cannot ask: none blocks. */
  ifCannotAsk: Optional(IfCannotAsk),
  source: Optional(Text),
  ...brought,
  background: Optional(Schema.Boolean),
  /** How often it is tried while it fails, and how long to wait in between. */
  retry: Optional(Schema.Struct({ attempts: Count, delayMs: Count })),
  /** It says itself that it is off, and somebody switched it on. */
  switchedOn: Optional(Schema.Boolean),
  /** Why it must not start after all, such as a condition that could not be evaluated in time: its policy applies. */
  stuck: Optional(Text)
})
export type Planned = typeof Planned.Type

/** What becomes of a job where as many wait as may: it takes the place of the oldest, or is refused. */
const WhenFull = Schema.Literal("supersede", "refuse")

/** A handler that runs as a job once the reply is out; its index counts among those only. */
export const Backgrounded = Schema.Struct({
  ...Planned.fields,
  job: Text,
  whenFull: Optional(WhenFull),
  /** What it says is passed on at the session's next event, within this time: all of it, or the newest alone. */
  deliver: Optional(Schema.Struct({ withinMs: Count, keep: Schema.Literal("all", "newest") }))
})
export type Backgrounded = typeof Backgrounded.Type

export const LeftOut = Schema.Struct({
  handler: Text,
  event: Text,
  reason: Text,
  /**
   * What cannot be found out anew later: a `switch` of somebody's, the `past` (limits, what waits for the session), or the
   * `directory` as it was. None where the hook and the call say it; facts of before 2026-12 have none.
   */
  by: Optional(Schema.Literal("switch", "past", "directory"))
})
/** A handler that was not to run, and why. */
export type LeftOut = typeof LeftOut.Type

export const ChannelTaken = Schema.Struct({
  intent: Text,
  handler: Text,
  channel: Text,
  reason: Optional(Text),
  /** It would have kept the agent from stopping, which hooks had done often enough. */
  held: Optional(Schema.Literal(true)),
  /** A question that nobody can be asked here: the action is blocked instead. Facts of before 2026-12 say so in the reason alone. */
  instead: Optional(Schema.Literal("block"))
})
/** Where one intent went, or `undeliverable` with the reason. */
export type ChannelTaken = typeof ChannelTaken.Type

const ServiceCall = fact("SERVICE_CALLED", {
  handler: Text,
  event: Text,
  index: Count,
  attempt: Count,
  /** Which of the handler's calls, from 1, in the order in which they were made. */
  call: Count,
  service: Text,
  input: AnyJson,
  /** None where the answer is nothing, or did not fit. */
  result: Optional(AnyJson),
  error: Optional(Schema.Struct({ name: Text, message: Text })),
  /** Characters of an answer that was too long to be recorded: a replay does not have it. */
  omitted: Optional(Count),
  /** When it was asked, microseconds after the call was taken in; of a job after its attempt began. */
  fromUs: Optional(Count),
  ms: Count
})
/** What a handler asked of the world, and the answer: a replay gives it again. */
export type ServiceCalled = typeof ServiceCall.Type

export const InvocationFact = Schema.Union(
  fact("INVOCATION_OPENED", {
    invocation: Id,
    agent: Text,
    agentEvent: Text,
    transport: Schema.Literal("entry", "socket", "http"),
    cwd: Text,
    project: Text,
    env: Schema.Record({ key: Text, value: Text }),
    runtime: Text,
    build: Optional(Text),
    config: Optional(Text),
    deadlineMs: Count,
    pid: Optional(Count),
    /** `client`: nobody had a word on it, or none but after the reply, so that it was answered before a host took it in. */
    route: Optional(Schema.Literal("client")),
    /** The client's id of the call: one that a dying host began and the entrypoint answered has it twice. */
    call: Optional(Text),
    client: Optional(Client),
    /** Where it was fetched from a collector: the installation that shipped it, by the name of its token. */
    machine: Optional(Text)
  }),
  fact("PAYLOAD_BUFFERED", {
    bytes: Count,
    /** HMAC-SHA-256 of `payload` under the installation's key, hexadecimal: set where the fact enters the log. */
    digest: Optional(Text),
    /** The exact text the agent sent, after redaction. */
    payload: Text,
    /** Why `payload` is empty: what a collector has does not hold any. */
    missing: Optional(Schema.Literal("not shipped")),
    /** What it told, where it is missing and its machine worked that out. */
    findings: Optional(Findings),
    session: Schema.NullOr(Schema.String) as unknown as Schema.Schema<SessionId | null, string | null>,
    toolUseId: Schema.NullOr(Text),
    tool: Optional(ToolCall),
    events: Schema.Array(Dispatch),
    /** Fields that did not have the documented shape. They are kept in the payload and left out of the event. */
    drift: Optional(Schema.Array(Text))
  }),
  fact("PAYLOAD_REJECTED", {
    reason: Schema.Literal("empty", "malformed", "too-large", "timed-out", "not-a-hook-payload"),
    detail: Text,
    bytes: Count,
    /** HMAC-SHA-256 of all that came, under the installation's key, hexadecimal. */
    digest: Text,
    /** The first bytes of what came, redacted; `\xNN` for what was no text. */
    excerpt: Optional(Text)
  }),
  fact("HANDLERS_PLANNED", {
    handlers: Schema.Array(Planned),
    left: Schema.Array(LeftOut),
    /** Those that run after the reply, each as a job of its own. */
    background: Optional(Schema.Array(Backgrounded)),
    /** How often hooks kept the agent from stopping in a row before this, and how often they may. */
    stops: Optional(Schema.Struct({ blocked: Count, most: Count })),
    /** What the runtime itself has to say in the reply, such as a hook file that is not trusted. */
    notices: Optional(Schema.Array(IntentSchema))
  }),
  fact("HANDLER_STARTED", handler),
  fact("HANDLER_SUCCEEDED", {
    ...handler,
    intents: Schema.Array(IntentSchema),
    patch: Optional(Schema.Record({ key: Text, value: AnyJson })),
    /** The chain that the handler says its run belongs to. */
    chain: Optional(Text),
    ...brought,
    ...placed,
    ms: Count
  }),
  fact("HANDLER_FAILED", {
    ...handler,
    error: Failure,
    policy: Policy,
    ...rescued,
    ...brought,
    ...placed,
    ms: Count
  }),
  fact("HANDLER_TIMED_OUT", {
    ...handler,
    deadlineMs: Count,
    policy: Policy,
    ...rescued,
    ...brought,
    ...placed,
    ms: Count
  }),
  fact("HANDLER_SKIPPED", {
    handler: Text,
    event: Text,
    index: Count,
    reason: Text,
    policy: Optional(Policy),
    /** The attempt that did not begin, where others were before it. */
    attempt: Optional(Count),
    ...brought
  }),
  fact("NOISE_CAPTURED", {
    stream: Schema.Literal("stdout", "stderr"),
    bytes: Count,
    text: Text,
    handler: Optional(Text)
  }),
  ServiceCall,
  fact("REPLY_DELIVERED", {
    stdout: Text,
    stderr: Text,
    exitCode: Count,
    channels: Schema.Array(ChannelTaken)
  }),
  fact("DELIVERY_FAILED", {
    stdout: Text,
    stderr: Text,
    exitCode: Count,
    channels: Schema.Array(ChannelTaken),
    error: Failure
  }),
  fact("EXITED", {
    code: Count,
    /** Milliseconds per state. */
    ms: Schema.Record({ key: Text, value: Count }),
    summary: Optional(Schema.Struct({ planned: Count, started: Count, succeeded: Count }))
  })
)
/** A fact of one invocation; also the events of the invocation machine. */
export type InvocationFact = typeof InvocationFact.Type

export const BreakerFact = Schema.Union(
  fact("HOST_UNREACHABLE", { threshold: Count, detail: Text }),
  fact("HOST_REACHED", {})
)
export type BreakerFact = typeof BreakerFact.Type

export const HostFact = Schema.Union(
  fact("HOST_STARTED", {
    build: Text,
    pid: Count,
    runtime: Text,
    /** What it has beside answering, each by its name: `ready`, or why it is off. */
    parts: Optional(Schema.Record({ key: Text, value: Text }))
  }),
  fact("HOST_READY", { socket: Text, port: Optional(Count) }),
  fact("HOST_DRAINING", { reason: Text }),
  fact("HOST_STOPPED", { reason: Text, served: Count })
)
/** A fact of one host process; also the events of the host machine. A host that stopped without saying so was killed. */
export type HostFact = typeof HostFact.Type

export const HandlerProcessFact = Schema.Union(
  fact("HANDLER_PROCESS_STARTED", {
    host: Text,
    pid: Optional(Count),
    /** Of its handlers' heap, megabytes. */
    memoryMb: Optional(Count)
  }),
  /** It was given to a call or a job. */
  fact("HANDLER_PROCESS_TAKEN", { build: Text }),
  /** It came back: whether calls of any project may follow, or of the same build only. */
  fact("HANDLER_PROCESS_FREED", { goodFor: Schema.Literal("any", "same") }),
  /** It came back, and no call may follow. */
  fact("HANDLER_PROCESS_SPOILT", { reason: Text }),
  fact("HANDLER_PROCESS_ENDED", { reason: Text })
)
/** A fact of one process that runs handlers; also the events of its machine. One that did not say that it ended went with its host. */
export type HandlerProcessFact = typeof HandlerProcessFact.Type

/** What a session did last, in the words that every agent is mapped to. */
const because = { because: Text }

export const SessionFact = Schema.Union(
  /** Its first call. */
  fact("SESSION_OPENED", because),
  /** Its turn is over: it waits for its user. */
  fact("SESSION_IDLED", because),
  /** It works again, also after it was over. */
  fact("SESSION_RESUMED", because),
  fact("SESSION_ENDED", because)
)
/** A fact of one run of an agent; also the events of the session machine. */
export type SessionFact = typeof SessionFact.Type

/** For whom a hook was switched on or off. */
const switched = {
  hook: Text,
  scope: Schema.Literal("user", "project", "session"),
  project: Optional(Text),
  session: Optional(Text)
}

const MigrationFact = Schema.Union(
  /** One step brought what an earlier version left into this version's shape. */
  fact("MIGRATION_APPLIED", {
    name: Text,
    number: Optional(Count),
    /** Versions of hooktape. */
    from: Optional(Text),
    to: Optional(Text),
    project: Optional(Text),
    files: Schema.Array(Text),
    backups: Schema.Array(Text)
  }),
  /** Somebody had the last migration taken back. */
  fact("MIGRATION_ROLLED_BACK", {
    names: Schema.Array(Text),
    /** The number that the state directory is at now; none where it had none. */
    layout: Optional(Count),
    files: Schema.Array(Text)
  })
)
export type MigrationFact = typeof MigrationFact.Type

export const OperatorFact = Schema.Union(
  fact("HOOKS_INSTALLED", {
    agent: Text,
    scope: Text,
    file: Text,
    events: Schema.Array(Text),
    backup: Optional(Text)
  }),
  fact("HOOKS_REMOVED", {
    agent: Text,
    scope: Text,
    file: Text,
    events: Schema.Array(Text),
    backup: Optional(Text)
  }),
  fact("HOOKS_BUILT", {
    project: Text,
    build: Text,
    hooks: Schema.Array(Text),
    /** For each event its hooks in the order in which they run. */
    order: Optional(Schema.Record({ key: Text, value: Schema.Array(Text) })),
    /** Hooks that a later file of the same owner replaced. */
    replaced: Optional(Schema.Array(Schema.Struct({ hook: Text, file: Text, by: Text }))),
    ms: Count
  }),
  fact("BUILD_FAILED", { project: Text, errors: Schema.Array(Text) }),
  fact("HOOKS_TRUSTED", {
    project: Text,
    files: Schema.Array(Schema.Struct({ file: Text, hash: Text })),
    /** Of each hook file with all it takes in, and of each configuration. */
    digests: Optional(Schema.Array(Text)),
    /** Nobody said so of these: their user had said that saves count while `hooktape dev` runs. */
    by: Optional(Schema.Literal("dev"))
  }),
  fact("TRUST_REVOKED", { project: Text, digest: Text, file: Text }),
  fact("SPOOL_REJECTED", { file: Text, line: Count, reason: Text }),
  /** Hook calls of which nothing could be written down, on a full disk say; found when there was room again. */
  fact("CALLS_UNRECORDED", { calls: Count, from: Count, to: Count, reason: Text }),
  fact("FACT_REDACTED", {
    /** The first that was changed or taken away of its stream. */
    fact: Text,
    reason: Text,
    /** Where it stands, or stood. */
    stream: Optional(Text),
    /** How many facts of that stream. */
    facts: Optional(Count),
    /** `text`: taken out of facts that are still there. `whole`: the stream is gone. */
    extent: Optional(Schema.Literal("text", "whole"))
  }),
  fact("LOG_TRUNCATED", {
    before: Count,
    invocations: Count,
    /** How many of them a sink had not got all of. */
    unshipped: Optional(Count),
    reason: Text
  }),
  /** Somebody had the setup looked at. */
  fact("DOCTOR_RAN", {
    /** How many were looked at in all. */
    checks: Count,
    /** What is not as it should be, and what to do about it. */
    problems: Schema.Array(Schema.Struct({ name: Text, status: Text, message: Text, fix: Optional(Text) })),
    /** What is as it should be, where it is named. */
    passed: Optional(Schema.Array(Schema.Struct({ name: Text, message: Text }))),
    ms: Count
  }),
  fact("HOOK_ENABLED", switched),
  fact("HOOK_DISABLED", switched),
  ...MigrationFact.members
)
export type OperatorFact = typeof OperatorFact.Type

/** What was printed while an attempt ran. */
const printed = Optional(
  Schema.Array(Schema.Struct({ stream: Schema.Literal("stdout", "stderr"), bytes: Count, text: Text }))
)
/** What a handler asked for meanwhile. */
const asked = Optional(Schema.Array(ServiceCall))

const ofJob = <T extends string, F extends Schema.Struct.Fields>(type: T, fields: F) =>
  fact(type, {
    ...fields,
    /** That led to the job, if one did. Older logs have it on the first of a job's facts alone. */
    invocation: Optional(Id)
  })

export const JobFact = Schema.Union(
  ofJob("JOB_ENQUEUED", {
    job: Text,
    /** Who runs it: `hook` for a background hook. */
    kind: Text,
    /** Of several jobs with one key, one runs at a time. */
    key: Optional(Text),
    whenFull: Optional(WhenFull),
    /** How many attempts may fail before it is dead. */
    maxAttempts: Count,
    /** How long one attempt may take. */
    deadlineMs: Count,
    input: AnyJson,
    handler: Optional(Text),
    event: Optional(Text),
    /** Not before this time, milliseconds since 1970. */
    notBefore: Optional(Count)
  }),
  ofJob("JOB_STARTED", {
    attempt: Count,
    /** Random id of the queue that runs it, and its process. */
    host: Text,
    pid: Count,
    /** Whoever started it has lost it after this time, milliseconds since 1970. */
    until: Count
  }),
  ofJob("JOB_SUCCEEDED", {
    attempt: Count,
    result: Optional(AnyJson),
    noise: printed,
    called: asked,
    ms: Count
  }),
  ofJob("JOB_FAILED", {
    attempt: Count,
    error: Failure,
    /** When the next attempt is due; none follows where it is missing. */
    retryAt: Optional(Count),
    noise: printed,
    called: asked,
    ms: Optional(Count)
  }),
  /** Given back unfinished through no fault of its own: the attempt does not count. */
  ofJob("JOB_RELEASED", { attempt: Count, reason: Text }),
  ofJob("JOB_DIED", { attempts: Count, error: Failure }),
  /** It cannot begin yet, and no attempt is spent on that. Said once for each reason. */
  ofJob("JOB_HELD", { reason: Text }),
  /** Its turn came when nobody wanted it any more. */
  ofJob("JOB_DROPPED", { reason: Text }),
  /** Somebody wants it tried again, with all attempts anew. */
  ofJob("JOB_RETRIED", { by: Text })
)
/** A fact of one job; also the events of the job machine. */
export type JobFact = typeof JobFact.Type

const Component = Schema.Struct({
  name: Text,
  weight: Count,
  score: Optional(Count),
  reason: Text
})
/** Of what and when a checkpoint was taken, and what it is worth. */
const checkpointed = {
  checkpoint: Text,
  quality: Count,
  components: Schema.Array(Component),
  /** `operator`, or the event after which it was taken by itself. */
  trigger: Text,
  project: Text,
  session: Optional(Text),
  /** Commit and branch, where the project is a git repository. */
  commit: Optional(Text),
  branch: Optional(Text)
}

/** What speaks for a note or against it. */
const evidence = {
  /** `said`, `praised`, `checkpoint`, `corrected`. */
  because: Optional(Text),
  /** Where that was seen: the id of an invocation, or of a checkpoint. Once for each, however often it is recorded. */
  from: Optional(Text)
}

export const MemoryFact = Schema.Union(
  fact("NOTE_RECORDED", {
    note: Text,
    text: Text,
    kind: Optional(Text),
    /** `operator`, or `hook <name>`. */
    source: Optional(Text),
    /** 0–1. */
    importance: Optional(Count),
    /** 0–1: how sure whoever wrote it was. */
    confidence: Optional(Count),
    tags: Optional(Schema.Array(Text)),
    project: Optional(Text),
    session: Optional(Text),
    /** What it was taken from: the id of an invocation, or of a checkpoint. */
    from: Optional(Text)
  }),
  /** Somebody says that it still holds. */
  fact("NOTE_CONFIRMED", { note: Text, by: Text, ...evidence }),
  /** Somebody says that it may not hold: it is believed less. */
  fact("NOTE_DOUBTED", { note: Text, by: Text, ...evidence }),
  /** It no longer holds: it stays on the log, and is found no more. */
  fact("NOTE_RETRACTED", { note: Text, by: Text, reason: Optional(Text) }),
  fact("CHECKPOINT_RECORDED", {
    ...checkpointed,
    /** A hook looked at the quality and let it pass. */
    validated: Optional(Schema.Boolean)
  }),
  /** A hook did not let it pass. */
  fact("CHECKPOINT_REFUSED", { ...checkpointed, by: Text, reason: Text }),
  /** How a session stood when a checkpoint was taken. */
  fact("METRICS_RECORDED", {
    checkpoint: Text,
    project: Text,
    session: Optional(Text),
    /** From when it was counted, milliseconds since 1970. */
    since: Schema.Number,
    figures: Schema.Array(Schema.Struct({ metric: Text, value: Schema.NullOr(Schema.Number), n: Count }))
  })
)
/** What is kept for later sessions. */
export type MemoryFact = typeof MemoryFact.Type

export const Fact = Schema.Union(
  InvocationFact,
  BreakerFact,
  HostFact,
  HandlerProcessFact,
  SessionFact,
  OperatorFact,
  JobFact,
  MemoryFact,
  ObservedFact
)
export type Fact = typeof Fact.Type
