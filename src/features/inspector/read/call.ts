/** One call, fact by fact: the way of its machine, its handlers, what became of its jobs, and who got what. */
import type { InvocationFact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { type InvocationCommand, invocation as machine } from "../../../../machines/invocation.ts"
import { evolve, start, stateOf } from "../../../../machines/step.ts"
import { jobsIn } from "../../../jobs/Job.ts"
import { jobStream } from "../../../runtime/enqueue.ts"
import { describeInvocation } from "../../timeline/describe.ts"
import { backgroundOf } from "../../timeline/describedJobs.ts"
import { tell } from "../../timeline/factWords.ts"
import { findCalls } from "../../timeline/find.ts"
import { reachedBy } from "../../timeline/reached.ts"
import { sentenceOf } from "../../timeline/sentence.ts"
import type { CallDetail, CallFrame, CallHandler } from "../contract/call.ts"
import { jobsOf } from "./callJobs.ts"
import { errorOf } from "./errorOf.ts"
import { factsOf } from "./facts.ts"
import { NotThere, row, type Source } from "./Source.ts"
import { shortened } from "./shortened.ts"

type Context = Readonly<Record<string, unknown>>

/** Members that are another value after the fact. */
const changesOf = (before: Context, after: Context): CallFrame["changed"] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => before[key] !== after[key] && JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((path) => ({
      path,
      before: shortened(before[path] ?? null),
      after: shortened(after[path] ?? null)
    }))

const commandText = (command: InvocationCommand): string => {
  switch (command.type) {
    case "BUFFER":
      return `read the payload, within ${command.deadlineMs} ms`
    case "PLAN":
      return "plan the handlers"
    case "START_HANDLER":
      return `start ${command.planned.handler}`
    case "RUN_HANDLER":
      return `run ${command.planned.handler}, attempt ${command.attempt}`
    case "DELIVER":
      return `deliver ${command.intents.length === 0 ? "nothing" : command.intents.map(({ intent }) => intent.type).join(", ")}`
    case "EXIT":
      return `exit ${command.code}`
  }
}

/** What happens beside the loop is no outcome of a command. */
const besides: readonly string[] = ["NOISE_CAPTURED", "SERVICE_CALLED"]

/** Finer than its own time where the fact says when that began. */
const sinceOpening = (fact: Recorded, openedAt: number): number => {
  const { fromUs, ms = 0 } = fact.data as { readonly fromUs?: number; readonly ms?: number }
  return fromUs === undefined ? Math.max(0, fact.at - openedAt) : fromUs / 1000 + ms
}

/** Each fact of one call with the states around it, and what was asked for and done. */
export const framesOf = (facts: readonly Recorded[]): readonly CallFrame[] => {
  const openedAt = facts[0]?.at ?? 0
  let { snapshot } = start(machine)
  const frames: { -readonly [K in keyof CallFrame]: CallFrame[K] }[] = []
  let asked: (typeof frames)[number] | undefined
  for (const one of facts) {
    if (!one.known) continue
    const fact = one.data as InvocationFact
    const step = evolve(machine, snapshot, fact)
    const { text } = tell(fact)
    if (asked !== undefined && !besides.includes(one.type)) {
      asked.effect = `${one.type}: ${text}`
      asked = undefined
    }
    const frame: (typeof frames)[number] = {
      position: one.position,
      at: one.at,
      ms: sinceOpening(one, openedAt),
      type: one.type,
      before: stateOf(snapshot),
      after: stateOf(step.snapshot),
      refused: step.refused,
      says: text,
      data: shortened(one.data),
      changed: changesOf(snapshot.context as Context, step.snapshot.context as Context),
      command:
        step.command === undefined ? null : { type: step.command.type, says: commandText(step.command) },
      effect: null
    }
    frames.push(frame)
    if (step.command !== undefined) asked = frame
    snapshot = step.snapshot
  }
  return frames
}

const handlersOf = (facts: readonly Recorded[], call: CallDetail["call"]): readonly CallHandler[] => {
  const known = facts.filter(({ known: isKnown }) => isKnown)
  const openedAt = facts[0]?.at ?? 0
  const ends = known.filter(({ type }) =>
    ["HANDLER_SUCCEEDED", "HANDLER_FAILED", "HANDLER_TIMED_OUT", "HANDLER_SKIPPED"].includes(type)
  )
  return call.hooks.map((run, nth): CallHandler => {
    const end = ends.findLast(({ data }) => {
      const { event, handler } = data as { readonly event: string; readonly handler: string }
      return handler === run.hook && event === run.event
    })
    const fact = end?.data as
      | Partial<Extract<InvocationFact, { type: "HANDLER_FAILED" }> & { readonly chain: string }>
      | undefined
    return {
      ...run,
      index: fact?.index ?? nth,
      startMs:
        run.at === null
          ? null
          : Math.max(0, fact?.fromUs === undefined ? run.at - openedAt : fact.fromUs / 1000),
      policy: fact?.policy ?? null,
      error: fact?.error === undefined ? null : errorOf(fact.error, openedAt),
      chain: fact?.chain ?? null
    }
  })
}

const beside = (source: Source, position: number, way: "older" | "newer"): string | null =>
  row<{ readonly invocation: string }>(
    source,
    way === "older"
      ? "SELECT invocation FROM timeline_calls WHERE position < ? AND own = 0 ORDER BY position DESC LIMIT 1"
      : "SELECT invocation FROM timeline_calls WHERE position > ? AND own = 0 ORDER BY position LIMIT 1",
    position
  )?.invocation ?? null

/** An id, or the end of one. */
const resolved = (source: Source, named: string): string => {
  const found = row<{ readonly invocation: string }>(
    source,
    "SELECT invocation FROM timeline_calls WHERE invocation = ? OR short = ? ORDER BY position DESC LIMIT 1",
    named,
    named
  )
  if (found === undefined) throw new NotThere(`no call has the id ${named}`)
  return found.invocation
}

export const callDetail = (source: Source, named: string): CallDetail => {
  const invocation = resolved(source, named)
  const [call] = findCalls(source.db, { invocation, own: true, limit: 1 }, source.now)
  const facts = factsOf(source, `invocation/${invocation}`)
  const opened = facts.find(({ known, type }) => known && type === "INVOCATION_OPENED")?.data as
    | Extract<InvocationFact, { type: "INVOCATION_OPENED" }>
    | undefined
  if (call === undefined || opened === undefined) throw new NotThere(`no call has the id ${named}`)
  const ofJobs = call.jobs.flatMap(({ job }) => factsOf(source, jobStream(job)))
  const described = describeInvocation(facts, jobsIn(ofJobs), call.answeredBy ?? undefined)
  const told = { ...described, outcome: call.outcome }
  const buffered = facts.find(({ known, type }) => known && type === "PAYLOAD_BUFFERED")?.data as
    | Extract<InvocationFact, { type: "PAYLOAD_BUFFERED" }>
    | undefined
  const rejected = facts.find(({ known, type }) => known && type === "PAYLOAD_REJECTED")?.data as
    | Extract<InvocationFact, { type: "PAYLOAD_REJECTED" }>
    | undefined
  const { delivered } = described
  const openedAt = facts[0]?.at ?? 0
  return {
    call,
    sentence: sentenceOf(told),
    opened: {
      transport: opened.transport,
      cwd: opened.cwd,
      runtime: opened.runtime,
      build: opened.build ?? null,
      deadlineMs: opened.deadlineMs,
      pid: opened.pid ?? null,
      route: opened.route ?? null
    },
    states: described.states,
    frames: framesOf(facts),
    handlers: handlersOf(facts, call),
    left: described.handlers
      .filter(({ outcome }) => outcome === "left")
      .map(({ event, handler, reason }) => ({ hook: handler, event, reason: reason ?? "" })),
    jobs: jobsOf(call.jobs, backgroundOf(facts), ofJobs, openedAt),
    reached: reachedBy(delivered?.channels ?? [], described.intents).map(({ handler, how, text, whom }) => ({
      whom,
      by: handler,
      text,
      how
    })),
    payload: described.payload,
    rejected: rejected === undefined ? null : `${rejected.reason}: ${rejected.detail}`,
    bytes: buffered?.bytes ?? rejected?.bytes ?? 0,
    delivered:
      delivered === null
        ? null
        : {
            stdout: delivered.stdout,
            stderr: delivered.stderr,
            exitCode: delivered.exitCode,
            error:
              delivered.error === undefined ? null : `${delivered.error.name}: ${delivered.error.message}`
          },
    noise: described.noise.map(({ bytes, handler, stream, text }) => ({
      stream,
      bytes,
      text,
      hook: handler ?? null
    })),
    older: beside(source, call.position, "older"),
    newer: beside(source, call.position, "newer")
  }
}
