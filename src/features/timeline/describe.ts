/** One invocation as people and programs ask for it: what `show --json` prints, told from its facts alone. Pure. */
import type { Tool } from "../../../events/agentEvents.ts"
import type { ChannelTaken, InvocationFact } from "../../../events/facts.ts"
import type { Intent, JsonObject } from "../../../events/intents.ts"
import type { Recorded } from "../../../events/Recorded.ts"
import { invocation as machine } from "../../../machines/invocation.ts"
import { frames } from "../../../machines/step.ts"
import type { Job } from "../../jobs/Job.ts"
import type { CallOutcome, Decision, ServiceUse } from "./Call.ts"
import { backgroundOf, type DescribedJob, describedJobs } from "./describedJobs.ts"
import { decidersOf, foldCall, serviceUse, verdictOf } from "./foldCall.ts"

export interface DescribedHandler {
  readonly handler: string
  readonly event: string
  /** `left`: subscribed, but not run here. `running`: never came back. `waiting`: was planned and never started. */
  readonly outcome: "succeeded" | "failed" | "timed-out" | "skipped" | "left" | "running" | "waiting"
  readonly ms: number | null
  /** The version of a team's policy that brought it. */
  readonly from?: string
  /** How often it was tried, where that was more than once. */
  readonly attempts?: number
  readonly intents: readonly Intent[]
  readonly patch?: JsonObject
  /** The chain that the run belongs to. */
  readonly chain?: string
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string }
  readonly policy?: string
  readonly reason?: string
  /** What it asked of the world, in order. */
  readonly services?: readonly ServiceUse[]
}

export interface DescribedNoise {
  readonly stream: "stdout" | "stderr"
  readonly bytes: number
  readonly text: string
  readonly handler?: string
}

export interface Delivered {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  readonly channels: readonly ChannelTaken[]
  /** Set when the reader had gone or the write failed otherwise. */
  readonly error?: { readonly name: string; readonly message: string }
}

export interface Described {
  readonly invocation: string
  readonly agent: string | null
  readonly agentEvent: string | null
  /** How it came out, what was decided about the action, by which hook, and why. */
  readonly outcome: CallOutcome
  readonly decision: Decision | null
  readonly by: string | null
  readonly reason: string | null
  /** All hooks that wanted what was decided; the first of them is `by`. */
  readonly deciders: readonly string[]
  /** The command, the file or the prompt it was about. */
  readonly subject: string | null
  readonly tool: Tool | null
  /** The agent's event in the common vocabulary, then what was derived from it. */
  readonly events: readonly string[]
  readonly session: string | null
  readonly project: string | null
  /** ISO 8601. */
  readonly at: string
  /** Its client answered it, since no hook had a word on it. */
  readonly route?: "client"
  /** It never came to its end, and no other one answered its call: killed, or the machine went down. */
  readonly lost: boolean
  /** What the human said to the question, where a hook asked and the agent tells. */
  readonly answered?: "allowed" | "refused"
  /** The invocation that answered its call, where its host did not get its own answer across. */
  readonly answeredBy?: string
  /** How long the agent waited for it, as far as hooktape saw it; null where it did not end. */
  readonly waitMs: number | null
  /** What of that went by before hooktape took the call in: the start of the client, and its way to the host. */
  readonly clientMs?: number
  readonly states: readonly { readonly state: string; readonly ms: number | null }[]
  readonly rejected?: { readonly reason: string; readonly detail: string }
  readonly handlers: readonly DescribedHandler[]
  readonly intents: readonly ({ readonly handler: string } & Intent)[]
  readonly noise: readonly DescribedNoise[]
  readonly delivered: Delivered | null
  /** What came, exactly as it was recorded; null where it was not taken. */
  readonly payload: string | null
  /** What goes on after the reply. */
  readonly jobs: readonly DescribedJob[]
}

/** By its place in the plan. */
const policiesIn = (facts: readonly InvocationFact[]): ReadonlyMap<number, string> =>
  new Map(
    facts
      .flatMap((fact) => (fact.type === "HANDLERS_PLANNED" ? fact.handlers : []))
      .flatMap(({ from, index }) => (from === undefined ? [] : [[index, from] as const]))
  )

const handlersOf = (facts: readonly InvocationFact[], takenAt: number): readonly DescribedHandler[] => {
  const handlers = new Map<number, DescribedHandler>()
  const left: DescribedHandler[] = []
  for (const fact of facts) {
    switch (fact.type) {
      case "HANDLERS_PLANNED":
        for (const { handler, event, index } of fact.handlers) {
          handlers.set(index, { handler, event, outcome: "waiting", ms: null, intents: [] })
        }
        for (const one of fact.left) left.push({ ...one, outcome: "left", ms: null, intents: [] })
        break
      case "HANDLER_STARTED":
        handlers.set(fact.index, {
          handler: fact.handler,
          event: fact.event,
          outcome: "running",
          ms: null,
          intents: []
        })
        break
      case "HANDLER_SUCCEEDED": {
        const { handler, event, index, ms, intents, patch, chain } = fact
        const also = { ...(patch === undefined ? {} : { patch }), ...(chain === undefined ? {} : { chain }) }
        handlers.set(index, { handler, event, outcome: "succeeded", ms, intents: [...intents], ...also })
        break
      }
      case "HANDLER_FAILED": {
        const { handler, event, index, ms, policy, intents = [] } = fact
        const { error } = fact
        handlers.set(index, { handler, event, outcome: "failed", ms, intents: [...intents], error, policy })
        break
      }
      case "HANDLER_TIMED_OUT": {
        const { handler, event, index, ms, policy, deadlineMs, intents = [] } = fact
        const reason = `not done within ${deadlineMs} ms`
        handlers.set(index, {
          handler,
          event,
          outcome: "timed-out",
          ms,
          intents: [...intents],
          policy,
          reason
        })
        break
      }
      case "HANDLER_SKIPPED": {
        const { handler, event, index, reason } = fact
        const before = handlers.get(index)
        // Only its next attempt did not come about: it has failed.
        if (before?.outcome === "failed") handlers.set(index, { ...before, reason })
        else handlers.set(index, { handler, event, outcome: "skipped", ms: null, intents: [], reason })
      }
    }
  }
  for (const fact of facts) {
    const tried = fact.type === "HANDLER_STARTED" && fact.attempt > 1 ? handlers.get(fact.index) : undefined
    if (tried && fact.type === "HANDLER_STARTED")
      handlers.set(fact.index, { ...tried, attempts: fact.attempt })
  }
  for (const fact of facts) {
    const asking = fact.type === "SERVICE_CALLED" ? handlers.get(fact.index) : undefined
    if (asking && fact.type === "SERVICE_CALLED")
      handlers.set(fact.index, {
        ...asking,
        services: [...(asking.services ?? []), serviceUse(fact, takenAt)]
      })
  }
  const policies = policiesIn(facts)
  const ran = [...handlers].map(([index, one]): DescribedHandler => {
    const from = policies.get(index)
    return from === undefined ? one : { ...one, from }
  })
  return [...ran, ...left]
}

const unknownVerdict = { outcome: "open", decision: null, by: null, reason: null } as const

/** Facts that this version does not know are no part of the description; `log` shows them. `jobs`: those of the invocation. */
export const describeInvocation = (
  recorded: readonly Recorded[],
  jobs: readonly Job[] = [],
  answeredBy?: string
): Described => {
  const facts = recorded.filter(({ known }) => known).map(({ data }) => data as InvocationFact)
  const seen = frames(machine, facts)
  const opened = facts.find((fact) => fact.type === "INVOCATION_OPENED")
  const exited = facts.find((fact) => fact.type === "EXITED")
  const buffered = facts.find((fact) => fact.type === "PAYLOAD_BUFFERED")
  const rejected = facts.find((fact) => fact.type === "PAYLOAD_REJECTED")
  // What its client says of it comes last.
  const delivered = facts.findLast(
    (fact) => fact.type === "REPLY_DELIVERED" || fact.type === "DELIVERY_FAILED"
  )
  const last = recorded.at(-1)
  const path = ["buffering"]
  for (const { after } of seen) if (path.at(-1) !== after) path.push(after)
  const deliver = seen.map(({ command }) => command).find((command) => command?.type === "DELIVER")
  const call = foldCall(recorded)
  const handlers = handlersOf(facts, call?.takenAt ?? 0)
  const wanted =
    deliver?.type === "DELIVER"
      ? deliver.intents
      : handlers.flatMap(({ handler, intents }) => intents.map((intent) => ({ handler, intent })))
  const isLost = exited === undefined && answeredBy === undefined
  return {
    invocation: (recorded[0]?.stream ?? "").replace(/^invocation\//, ""),
    agent: last?.agent ?? null,
    agentEvent: last?.agentEvent ?? null,
    ...(call === undefined ? unknownVerdict : verdictOf(call)),
    ...(isLost ? { outcome: "lost" } : answeredBy === undefined ? {} : { outcome: "replaced" }),
    deciders: call === undefined || verdictOf(call).decision === null ? [] : decidersOf(call),
    subject: call?.subject ?? null,
    tool: buffered?.tool ?? null,
    events: buffered?.events.map(({ event }) => event) ?? [],
    session: last?.session ?? null,
    project: last?.project ?? null,
    at: new Date(recorded[0]?.at ?? 0).toISOString(),
    ...(opened?.route === undefined ? {} : { route: opened.route }),
    lost: isLost,
    ...(answeredBy === undefined ? {} : { answeredBy }),
    waitMs: call?.waitMs ?? null,
    ...(call === undefined || call.clientMs === null ? {} : { clientMs: call.clientMs }),
    states: path.map((state) => ({
      state,
      ms: exited === undefined ? null : state === "exiting" ? 0 : (exited.ms[state] ?? null)
    })),
    ...(rejected ? { rejected: { reason: rejected.reason, detail: rejected.detail } } : {}),
    handlers,
    intents: wanted.map(({ handler, intent }) => ({ handler, ...intent })),
    noise: facts
      .filter((fact) => fact.type === "NOISE_CAPTURED")
      .map(({ stream, bytes, text, handler }) => ({
        stream,
        bytes,
        text,
        ...(handler === undefined ? {} : { handler })
      })),
    delivered: delivered
      ? {
          stdout: delivered.stdout,
          stderr: delivered.stderr,
          exitCode: delivered.exitCode,
          channels: delivered.channels,
          ...(delivered.type === "DELIVERY_FAILED"
            ? { error: { name: delivered.error.name, message: delivered.error.message } }
            : {})
        }
      : null,
    payload: buffered === undefined || buffered.missing !== undefined ? null : buffered.payload,
    jobs: describedJobs(backgroundOf(recorded), jobs)
  }
}

/** Milliseconds from the first byte to the exit, where it came that far. */
export const totalMs = ({ states }: Described): number | null =>
  states.every(({ ms }) => ms !== null) ? states.reduce((sum, { ms }) => sum + (ms ?? 0), 0) : null
