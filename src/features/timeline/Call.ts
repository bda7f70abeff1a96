/** A call as the timeline has it: one firing of one hook, told in the words of whoever looks for what happened. */
import type { CallEnd } from "../../../events/observedFacts.ts"

/** What was decided about the action: the strictest wish that reached the agent. */
export type Decision = "block" | "ask" | "allow"

/**
 * How a call came out. `silent`: no hook had anything to say. `spoke`: one had. `late`: one was not done in time. `unheard`: a
 * decision was made, and the agent could not be told. `undelivered`: the reply was not taken. `rejected`: the payload was none.
 * `open`: it has not ended. `lost`: nor will it. `replaced`: another call answered in its place.
 */
export type CallOutcome =
  | "silent"
  | "spoke"
  | "blocked"
  | "asked"
  | "failed"
  | "late"
  | "unheard"
  | "undelivered"
  | "rejected"
  | "open"
  | "lost"
  | "replaced"

/** What a hook asked of the world. */
export interface ServiceUse {
  readonly service: string
  /** What it was asked, in one line. */
  readonly subject: string
  /** When it was asked, milliseconds since 1970; facts of before do not tell. */
  readonly at?: number
  readonly ms: number
  readonly error?: string
}

export interface HookRun {
  readonly hook: string
  readonly event: string
  readonly outcome: "succeeded" | "failed" | "timed-out" | "skipped" | "running"
  readonly attempts: number
  /** When it was started, milliseconds since 1970, finer than whole ones where the log is; null where it was not. */
  readonly at: number | null
  /** What ran it: `entry`, `host`, `thread` or `handler`, and its process. Facts of before do not tell. */
  readonly process?: string
  /** Null where it did not come to its end. */
  readonly ms: number | null
  /** What it wanted, whether or not it came to that. */
  readonly decision: Decision | null
  /** Why it decided so, why it failed, or why it was skipped. */
  readonly reason: string | null
  /** The types of its intents. */
  readonly said: readonly string[]
  readonly services: readonly ServiceUse[]
}

export interface CallJob {
  readonly job: string
  readonly hook: string
  readonly state: "queued" | "running" | "waiting" | "done" | "dead" | "dropped"
  readonly attempts: number
  /** Of the attempt that ended last. */
  readonly ms: number | null
  readonly error: string | null
}

/** One line of `hooktape log --calls --json`. */
export interface Call {
  readonly invocation: string
  /** Of its first fact. */
  readonly position: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly agent: string | null
  readonly agentEvent: string | null
  /** The agent's event in the common vocabulary. */
  readonly event: string | null
  readonly project: string | null
  readonly session: string | null
  readonly subagent: string | null
  readonly turn: string | null
  readonly tool: { readonly name: string; readonly kind: string; readonly use: string | null } | null
  /** The command, the file or the prompt it was about, redacted as the log is. */
  readonly subject: string | null
  readonly outcome: CallOutcome
  readonly decision: Decision | null
  /** The hook that decided, or failed first. */
  readonly by: string | null
  readonly reason: string | null
  /** How long the agent waited for it: from the client's start, where the log has that. Null where it did not end. */
  readonly waitMs: number | null
  /** What of that went by before hooktape took the call in: the start of the client, and its way to the host. */
  readonly clientMs?: number
  /** What the human said to the question, where a hook asked and the agent tells. */
  readonly answered?: "allowed" | "refused"
  /** Made by hooktape itself: its own events, the probes of doctor. */
  readonly own: boolean
  /** The invocation that answered the call, where this one did not. */
  readonly answeredBy: string | null
  readonly hooks: readonly HookRun[]
  readonly jobs: readonly CallJob[]
  /** Told by the agent's transcript and by no hook: nobody was asked about it here. */
  readonly source?: "transcript"
  /** How the tool call ended, and with which exit code, where the transcript has it. */
  readonly told?: CallEnd
  readonly exitCode?: number
}
