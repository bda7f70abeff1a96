/**
 * What an agent's own transcript tells: facts that no hook of ours saw happen. `source` keeps them apart from what came as a payload; their
 * time is that of what happened, not of when it was read.
 */
import * as Schema from "effect/Schema"
import type { Json } from "./intents.ts"

const Text = Schema.String
const Count = Schema.Number
const Optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
/** JSON that is kept as it came, save that long texts in it are cut. */
const AnyJson = Schema.Unknown as unknown as Schema.Schema<Json, Json>

/** Where in its session something happened. */
const place = {
  source: Schema.Literal("transcript"),
  cwd: Optional(Text),
  /** The agent's own name of the turn. */
  turn: Optional(Text),
  subagent: Optional(Text),
  /** Of the agent. */
  agentVersion: Optional(Text)
}

const observed = <T extends string, F extends Schema.Struct.Fields>(type: T, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...place, ...fields })

/**
 * How a call ended, as the agent has it. `ok`: it succeeded, or ended with exit code 0. `failed`: it ran and failed. `denied`: a hook or a rule did
 * not let it run. `rejected`: the agent found fault with how it was called. `stopped`: a person or another call ended it. `running`: it goes
 * on in the background. `untold`: nothing is said.
 */
export const CallEnd = Schema.Literal("ok", "failed", "denied", "rejected", "stopped", "running", "untold")
export type CallEnd = typeof CallEnd.Type

export const ObservedFact = Schema.Union(
  observed("TOOL_CALL_OBSERVED", {
    /** The agent's own id of the call. */
    call: Text,
    /** The tool's name and its input, as a hook would be given them. */
    name: Text,
    input: AnyJson,
    /** The answer, as a hook would be given it. */
    response: Optional(AnyJson),
    told: CallEnd,
    /** Who or what denied it, where the agent says so. */
    deniedBy: Optional(Text),
    exitCode: Optional(Count),
    /** Milliseconds since 1970; missing where no end was found. */
    ended: Optional(Count),
    permissionMode: Optional(Text),
    /** Characters that were left out of input and response. */
    omitted: Optional(Count)
  }),
  /** What became of a call that went on in the background. */
  observed("TOOL_CALL_SETTLED", {
    call: Text,
    told: CallEnd,
    exitCode: Optional(Count),
    response: Optional(AnyJson)
  }),
  observed("PROMPT_OBSERVED", {
    text: Text,
    /** Nobody typed it: a notification, a summary, the agent itself. */
    automatic: Optional(Schema.Boolean),
    omitted: Optional(Count)
  }),
  observed("ANSWER_OBSERVED", { text: Text, model: Optional(Text), omitted: Optional(Count) }),
  observed("USAGE_OBSERVED", {
    model: Text,
    /** Tokens that were read anew. */
    input: Count,
    output: Count,
    cacheRead: Optional(Count),
    cacheWrite: Optional(Count),
    /** Part of the output. */
    reasoning: Optional(Count)
  }),
  /** A hook of whoever, as the agent itself kept it. */
  observed("HOOK_RUN_OBSERVED", {
    agentEvent: Text,
    command: Text,
    outcome: Schema.Literal("succeeded", "failed", "blocked", "cancelled"),
    exitCode: Optional(Count),
    ms: Optional(Count),
    /** Characters that it put into the session. */
    said: Optional(Count),
    call: Optional(Text)
  }),
  observed("TURN_INTERRUPTED", { why: Text }),
  /** A call ran, and the hook that its agent should have asked before it, or told of its end, was not called. */
  observed("HOOK_CALL_MISSED", {
    call: Text,
    name: Text,
    expected: Schema.Literal("tool.before", "tool.after")
  }),
  /** A hook blocked the call, the agent was told so, and the call ran all the same. */
  observed("DENIAL_IGNORED", { call: Text, name: Text, invocation: Text }),
  /** How far the transcript of a session with hooks was read, and what it told beside them. */
  observed("TRANSCRIPT_RECONCILED", {
    file: Text,
    /** Bytes: from there it is read the next time. */
    resumeAt: Count,
    /** How many it had. */
    size: Count,
    facts: Count,
    missed: Count,
    ignored: Count,
    /** Why calls that no hook saw were not looked for. */
    unjudged: Optional(Text)
  })
)
export type ObservedFact = typeof ObservedFact.Type
export type CallObserved = Extract<ObservedFact, { readonly type: "TOOL_CALL_OBSERVED" }>
