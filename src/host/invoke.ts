/** One hook call in the host: the same loop, adapters and facts as in process, with the handlers elsewhere and the log right here. */
import * as Micro from "effect/Micro"
import type { InvocationFact } from "../../events/facts.ts"
import type { InvocationId } from "../../events/ids.ts"
import { diagnostic, userHint } from "../../events/intents.ts"
import { invocation } from "../../machines/invocation.ts"
import type { Adapter } from "../adapters/Adapter.ts"
import { drive } from "../engine/drive.ts"
import { type Delivery, type Edge, performed } from "../engine/Edge.ts"
import { monotonic } from "../engine/elapsed.ts"
import { asError, errorOf } from "../engine/errors.ts"
import type { Handling } from "../engine/handling.ts"
import { makeInterpreter } from "../engine/interpret.ts"
import { invocationId, makeRecorder, type Sources } from "../engine/recorder.ts"
import { fold } from "../engine/reply.ts"
import type { Inlet } from "../engine/stdin.ts"
import { allowedNames } from "../entry/environment.ts"
import type { Refreshed } from "../entry/refresh.ts"
import { bundleOf, eventOf } from "../hooks/manifest.ts"
import { jobsOf } from "../jobs/enqueue.ts"
import { digestOf } from "../log/digest.ts"
import { type RedactedDraft, redact } from "../log/redact.ts"
import { emptyHandling } from "./emptyHandling.ts"
import type { Environment } from "./frame.ts"
import type { Record } from "./record.ts"
import { Elsewhere, makeRemoteHandling } from "./remoteHandling.ts"
import type { Workers } from "./workers.ts"

/** What every call of a host shares. */
export interface Shared {
  readonly adapters: Readonly<{ [agent: string]: Adapter }>
  readonly workers: Workers
  readonly record: Record
  readonly sources: Sources
  /** Key of payload digests. */
  readonly key: Buffer
  readonly afterwards: (facts: readonly InvocationFact[]) => void
}

/** One call, with its payload read. */
export interface Call {
  readonly agent: string
  readonly agentEvent: string
  readonly call: string
  readonly cwd: string
  readonly project: string
  readonly environment: Environment
  readonly transport: "socket" | "http"
  readonly deadlineMs: number
  /** Monotonic milliseconds. */
  readonly began: number
  readonly found: Refreshed
  readonly inlet: Inlet
  /** How many calls were there before it, where that were too many for its handlers to run. */
  readonly crowd?: number
  /** Its id, where its client left it for later. */
  readonly left?: InvocationId
  /** Whether nobody waits for the answer any more. */
  readonly gone: () => boolean
}

const environmentOf = ({ environment }: Call): { [name: string]: string } => {
  const kept: { [name: string]: string } = {}
  for (const name of allowedNames) {
    const value = environment.get(name)
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** Nobody of the build has anything to say to this event, or nobody gets to: its plan needs no process. */
const hasHandlers = ({ found, agent, agentEvent, crowd }: Call): boolean => {
  if (crowd !== undefined) return false
  const { manifest } = found
  return manifest.withheld.length > 0 || Object.hasOwn(manifest.events, eventOf(manifest, agent, agentEvent))
}

const noticesOf = ({ found, crowd }: Call) => [
  ...(crowd === undefined
    ? []
    : [diagnostic("warn", `no hook was run: the host had ${crowd} other calls to answer at the same time`)]),
  ...found.remarks.map((remark) => diagnostic("warn", remark)),
  ...found.hints.map(userHint)
]

/** The answer, committed. Fails with `Elsewhere` when the entrypoint has to do it; then nothing was recorded. */
export const invoke = async (shared: Shared, call: Call): Promise<Delivery> => {
  const { agent, agentEvent, cwd, project, deadlineMs, found } = call
  const { sources } = shared
  const adapter = Object.hasOwn(shared.adapters, agent) ? shared.adapters[agent] : undefined
  if (!adapter) throw new Elsewhere(`no agent is called ${agent}`)
  const id = call.left ?? invocationId(sources)
  const dress = makeRecorder(sources, id, { agent, agentEvent, project })
  const elapsed = () => monotonic() - call.began
  let pending: RedactedDraft[] = []
  let delivery: Delivery = { stdout: "", stderr: "", exitCode: 0 }
  let complaint = ""

  const flush = async (): Promise<void> => {
    const [first, ...rest] = pending
    pending = []
    if (!first) return
    try {
      await shared.record.commit([first, ...rest])
    } catch (error) {
      // It may go with what follows.
      pending = [first, ...rest, ...pending]
      // The agent is not made to pay for our disk; whoever reads its standard error is told.
      complaint ||= shared.record.complaint(asError(error))
    }
  }
  const edge: Edge = {
    deliver: (encoded, noise) => {
      delivery = performed(encoded, noise)
      return call.gone()
        ? { ...delivery, error: new Error("nobody waited for the answer any more") }
        : delivery
    }
  }
  const handling: Handling & { readonly end?: () => void } = hasHandlers(call)
    ? makeRemoteHandling({
        workers: shared.workers,
        build: found.manifest.dir,
        lease: {
          invocation: id,
          call: call.call,
          bundle: bundleOf(found.manifest, eventOf(found.manifest, agent, agentEvent)),
          agent,
          agentEvent,
          cwd,
          project,
          timestamp: new Date(sources.now()).toISOString(),
          deadlineMs,
          began: call.began,
          environment: call.environment.all(),
          remarks: found.remarks,
          hints: found.hints
        },
        elapsed,
        gone: call.gone,
        afterwards: shared.afterwards
      })
    : emptyHandling(adapter, agentEvent, noticesOf(call))
  const { interpret } = makeInterpreter({
    adapter,
    agentEvent,
    transport: call.transport === "http" ? "http" : "command",
    handling,
    read: () => call.inlet,
    digest: (bytes) => digestOf(shared.key, bytes),
    edge,
    logLevel: call.environment.get("HOOKTAPE_LOG_LEVEL"),
    elapsed
  })
  const opened: InvocationFact = {
    type: "INVOCATION_OPENED",
    invocation: id,
    agent,
    agentEvent,
    transport: call.transport,
    cwd,
    project,
    env: environmentOf(call),
    runtime: `node ${process.version} ${process.platform}-${process.arch}`,
    build: found.manifest.build,
    ...(found.manifest.config === undefined ? {} : { config: found.manifest.config }),
    deadlineMs,
    pid: process.pid,
    ...(call.call === "" ? {} : { call: call.call })
  }
  const add = (fact: InvocationFact) => {
    const dressed = dress(fact)
    pending.push(redact(dressed))
    for (const job of jobsOf(dressed)) pending.push(redact(job))
  }
  const driver = {
    record: (fact: InvocationFact) =>
      Micro.suspend(() => {
        add(fact)
        // Before a handler acts, what led to it is on the log.
        return fact.type === "HANDLER_STARTED" ? Micro.promise(flush) : Micro.void
      }),
    interpret
  }
  try {
    const exit = await Micro.runPromiseExit(drive(invocation, driver, opened))
    if (exit._tag === "Failure") {
      const error = asError(Micro.causeSquash(exit.cause))
      // Over HTTP there is no elsewhere.
      if (error instanceof Elsewhere && call.transport !== "http") throw error
      delivery = failOpen(adapter, call, error)
      add({ type: "DELIVERY_FAILED", ...delivery, channels: [], error: errorOf(error) })
    }
    await flush()
    // On a blocking exit standard error is the model's.
    return delivery.exitCode === 0 ? { ...delivery, stderr: delivery.stderr + complaint } : delivery
  } finally {
    const { end } = handling
    // Not on the reply's time.
    if (end) setImmediate(end)
  }
}

/** A defect of our own: the agent goes on, and the operator reads what happened. */
const failOpen = (adapter: Adapter, call: Call, error: Error): Delivery => {
  const said = diagnostic("error", `this hook was not handled: ${error.message}. Run "hooktape doctor".`)
  try {
    const transport = call.transport === "http" ? "http" : "command"
    return performed(adapter.encode(call.agentEvent, transport, fold([said])), "")
  } catch {
    return { stdout: "", stderr: "", exitCode: 0 }
  }
}
