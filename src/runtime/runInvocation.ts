/** One invocation from its first fact to its last, whichever way the call came in: what differs between them are the ports. */
import * as Micro from "effect/Micro"
import type { AnyMachineSnapshot } from "xstate"
import type { InvocationFact } from "../../events/facts.ts"
import type { FactId, InvocationId, Sources } from "../../events/ids.ts"
import { diagnostic } from "../../events/intents.ts"
import { type InvocationCommand, type InvocationContext, invocation } from "../../machines/invocation.ts"
import { isFinal, type Step, stateOf } from "../../machines/step.ts"
import type { Adapter, Decoded, Encoded, Transport } from "../agents/Adapter.ts"
import { fold } from "../agents/reply.ts"
import { spoolLine } from "../log/spool/spoolLine.ts"
import { type RedactedDraft, redactDraft } from "../redact/redact.ts"
import { answer } from "./answer.ts"
import { drive } from "./drive.ts"
import { type Delivery, type Edge, neutral, performedOtherwise } from "./Edge.ts"
import { jobsOf } from "./enqueue.ts"
import { asError, errorOf } from "./errors.ts"
import type { Handling } from "./handling.ts"
import { makeInterpreter, type Surroundings } from "./interpret.ts"
import { provisional } from "./provisional.ts"
import { makeRecorder } from "./recorder.ts"
import { atPlaceholder, undelivered } from "./undelivered.ts"

type Opened = Extract<InvocationFact, { type: "INVOCATION_OPENED" }>

/** Where facts go on their way to the log. */
export interface FactSink {
  /** One fact of the invocation and the jobs that follow from it. */
  readonly append: (drafts: readonly [RedactedDraft, ...RedactedDraft[]]) => void
  /** Before a handler acts: what led to it is kept. */
  readonly flush?: () => Promise<void>
  /** A fact could not be kept: the call is handled all the same. Without this an invocation that is not recorded fails. */
  readonly failed?: (error: Error) => void
  /** After the last fact. */
  readonly close: () => void | Promise<void>
  /** What the operator is told when facts were not kept; empty when all were. */
  readonly complaint: () => string
}

/** What the first fact says that only the way in knows. */
export interface Opening extends Pick<Opened, "transport" | "cwd" | "project" | "env" | "deadlineMs"> {
  readonly build?: string | undefined
  readonly config?: string | undefined
  readonly call?: string | undefined
  /** Its client answered it and left it for a host. */
  readonly route?: Opened["route"] | undefined
  readonly client?: Opened["client"] | undefined
}

export interface InvocationPorts
  extends Pick<Surroundings, "read" | "parse" | "digest" | "logLevel" | "elapsed" | "failureHints"> {
  readonly id: InvocationId
  readonly adapter: Adapter
  readonly agent: string
  readonly agentEvent: string
  readonly opening: Opening
  readonly handling: Handling
  readonly sink: FactSink
  readonly edge: Edge
  readonly sources: Sources
  /** After each step, with where the machine stands now. */
  readonly onStep?: (
    fact: InvocationFact,
    snapshot: AnyMachineSnapshot,
    step: Step<InvocationCommand>
  ) => void
  /** What is answered in place of an own failure's word. */
  readonly instead?: () => Encoded | undefined
  /** Each fact as it comes, before it is kept. */
  readonly onFact?: (fact: InvocationFact) => void
  /** Defects for which the agent is not let go on here: whoever asked is told, and what was not flushed is dropped. */
  readonly isRaised?: (error: Error) => boolean
}

export interface InvocationEnd {
  readonly delivery: Delivery
  /** What still blocks where standard output takes nothing of it. */
  readonly instead: Delivery | undefined
  /** For the spool: that the reply, which was recorded as delivered, did not arrive. None where it carries nothing, which cannot be lost. */
  readonly undelivered: () => string | undefined
  /** For standard error. Empty on a blocking exit, on which standard error is the model's. */
  readonly complaint: string
  /** Whether there is work for a host. */
  readonly hasJobs: boolean
  /** What of it was recorded last. */
  readonly last: FactId | null
  readonly context: InvocationContext | undefined
}

/** Over HTTP the answer has another shape; to all else an agent reads a process. */
export const transportOf = ({ transport }: Pick<Opened, "transport">): Transport =>
  transport === "http" ? "http" : "command"

const noise = (text: string): InvocationFact => ({
  type: "NOISE_CAPTURED",
  stream: "stderr",
  bytes: Buffer.byteLength(text),
  text
})

/** Fails open: a defect of our own is answered and recorded, and the agent goes on. */
export const runInvocation = async (ports: InvocationPorts): Promise<InvocationEnd> => {
  const { adapter, agent, agentEvent, id, opening, sink } = ports
  const transport = transportOf(opening)
  const toDraft = makeRecorder(ports.sources, id, { agent, agentEvent, project: opening.project })
  let last: FactId | null = null
  let hasJobs = false
  let delivered: Delivery | undefined
  let instead: Delivery | undefined
  let reply: Extract<InvocationFact, { type: "REPLY_DELIVERED" }> | undefined
  let attempt = 1

  const record = (fact: InvocationFact): void => {
    ports.onFact?.(fact)
    if (fact.type === "HANDLER_STARTED") attempt = fact.attempt
    if (fact.type === "REPLY_DELIVERED") reply = fact
    try {
      const draft = toDraft(fact)
      const jobs = jobsOf(draft)
      sink.append([redactDraft(draft), ...jobs.map((job) => redactDraft(job))])
      last = draft.id
      hasJobs ||= jobs.length > 0
    } catch (error) {
      if (!sink.failed) throw error
      sink.failed(asError(error))
    }
  }

  /** What the machine did not take is on the log and moved nothing: why, stands after it. */
  let refusals: InvocationFact[] = []
  let decoded: Decoded | undefined
  const handling: Handling = {
    ...ports.handling,
    take: (taken) => {
      ;({ decoded } = taken)
      ports.handling.take(taken)
    },
    drainNoise: () => {
      const drained = [...ports.handling.drainNoise(), ...refusals]
      refusals = []
      return drained
    }
  }
  const edge: Edge = {
    deliver: (encoded, noise) => {
      delivered = ports.edge.deliver(encoded, noise)
      instead = performedOtherwise(encoded, noise)
      return delivered
    }
  }
  const { digest, elapsed, failureHints, logLevel, parse, read } = ports
  const world = {
    adapter,
    agentEvent,
    transport,
    handling,
    edge,
    read,
    parse,
    digest,
    logLevel,
    elapsed,
    failureHints
  }
  const { interpret } = makeInterpreter(world)

  /** What the policies say of each handler that was not heard of; undefined where none was under way. */
  const judged = (snapshot: AnyMachineSnapshot): Encoded | undefined => {
    const stand = provisional(
      snapshot,
      attempt,
      ({ held, intents }) => answer(world, intents, decoded?.tool, held),
      "did not say what became of it"
    )
    for (const fact of stand?.facts ?? []) record(fact)
    return stand?.encoded
  }

  /**
   * The agent goes on, and the operator reads what happened. What was decided and has left stands. `stood`: where nothing more was asked
   * for, and no reply was given.
   */
  const failOpen = (error: Error, stood?: AnyMachineSnapshot): void => {
    const { message, name, stack = `${name}: ${message}` } = errorOf(error)
    if (delivered) {
      record(noise(`hooktape: ${stack}\n`))
      return
    }
    const said = diagnostic("error", `this hook was not handled: ${message}. Run "hooktape doctor".`)
    let reply: Encoded = neutral
    try {
      reply =
        ports.instead?.() ?? (stood && judged(stood)) ?? adapter.encode(agentEvent, transport, fold([said]))
      edge.deliver(reply, "")
    } catch {
      // The defect is in the adapter or in the edge itself.
    }
    const { stdout, stderr, exitCode } = delivered ?? reply
    record({ type: "DELIVERY_FAILED", stdout, stderr, exitCode, channels: [], error: errorOf(error) })
  }

  const opened: Opened = {
    type: "INVOCATION_OPENED",
    invocation: id,
    agent,
    agentEvent,
    transport: opening.transport,
    cwd: opening.cwd,
    project: opening.project,
    env: opening.env,
    runtime: `node ${process.version} ${process.platform}-${process.arch}`,
    ...(opening.build === undefined ? {} : { build: opening.build }),
    ...(opening.config === undefined ? {} : { config: opening.config }),
    deadlineMs: opening.deadlineMs,
    pid: process.pid,
    ...(opening.route === undefined ? {} : { route: opening.route }),
    ...(opening.call === undefined ? {} : { call: opening.call }),
    ...(opening.client === undefined ? {} : { client: opening.client })
  }
  const driver = {
    record: (fact: InvocationFact) =>
      Micro.suspend(() => {
        record(fact)
        return fact.type === "HANDLER_STARTED" && sink.flush ? Micro.promise(sink.flush) : Micro.void
      }),
    interpret,
    ...(ports.onStep ? { followed: ports.onStep } : {}),
    refused: ({ type }: InvocationFact) =>
      void refusals.push(noise(`hooktape: the invocation did not take ${type} where it stood\n`))
  }
  const exit = await Micro.runPromiseExit(drive(invocation, driver, opened))
  if (exit._tag === "Failure") {
    const error = asError(Micro.causeSquash(exit.cause))
    if (ports.isRaised?.(error)) throw error
    failOpen(error)
  } else if (!isFinal(exit.value)) failOpen(new Error(`it ended while ${stateOf(exit.value)}`), exit.value)
  for (const refusal of refusals) record(refusal)
  await sink.close()
  const delivery = delivered ?? neutral
  return {
    delivery,
    instead,
    undelivered: () =>
      reply && reply.channels.length > 0
        ? spoolLine(redactDraft({ ...toDraft(undelivered(reply, instead)), at: atPlaceholder }))
        : undefined,
    complaint: delivery.exitCode === 0 ? sink.complaint() : "",
    hasJobs,
    last,
    context: exit._tag === "Success" ? (exit.value.context as InvocationContext) : undefined
  }
}
