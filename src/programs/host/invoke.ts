/** One hook call in the host: the same loop, adapters and facts as in process, with the handlers elsewhere and the log right here. */
import { ownEvents } from "../../../events/agentEvents.ts"
import type { Client, InvocationFact } from "../../../events/facts.ts"
import type { InvocationId } from "../../../events/ids.ts"
import { invocationId, type Sources } from "../../../events/ids.ts"
import { diagnostic } from "../../../events/intents.ts"
import type { Adapter, Decoded } from "../../agents/Adapter.ts"
import { failureHintsFor } from "../../history/failureHints.ts"
import type { RedactedDraft } from "../../redact/redact.ts"
import type { Registry } from "../../runtime/actors/registry.ts"
import { isLacking } from "../../runtime/builds/reach.ts"
import type { Refreshed } from "../../runtime/builds/refresh.ts"
import { type Edge, performed } from "../../runtime/Edge.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { allowedEnvironment } from "../../runtime/environment.ts"
import { asError } from "../../runtime/errors.ts"
import type { Handling } from "../../runtime/handling.ts"
import { FallbackRequired } from "../../runtime/host/declined.ts"
import type { Answer, Environment } from "../../runtime/host/wireProtocol.ts"
import { leftEdge } from "../../runtime/leftCalls/leftEdge.ts"
import { noticesOf } from "../../runtime/notices.ts"
import { parsePayload } from "../../runtime/payload.ts"
import { type FactSink, runInvocation, transportOf } from "../../runtime/runInvocation.ts"
import { enterSession } from "../../runtime/sessionRegistry.ts"
import type { ReceivedPayload } from "../../runtime/stdin.ts"
import { digestOf } from "../../state/digest.ts"
import { bundleOf, eventOf, isOurs } from "../../state/manifest.ts"
import { emptyHandling } from "./emptyHandling.ts"
import type { FactStore } from "./factStore.ts"
import { makeHostHandling } from "./hostHandling.ts"
import { enterInvocation } from "./invocationActor.ts"
import type { LackingGuards } from "./lackingGuards.ts"
import { isAtHome } from "./leftEnvironment.ts"
import { makeRemoteHandling, type RemoteHandling, type RemoteOptions } from "./remoteHandling.ts"
import type { Workers } from "./workers.ts"

/** What every call of a host shares. */
export interface Shared {
  readonly adapters: Readonly<{ [agent: string]: Adapter }>
  readonly workers: Workers
  /** Where hooks run that take their time, and are our own code or commands. */
  readonly atWork: Workers
  readonly factStore: FactStore
  readonly sources: Sources
  /** Key of payload digests. */
  readonly key: Buffer
  readonly afterwards: (facts: readonly InvocationFact[]) => void
  /** The state directory, where sessions are asked for the guards that they began with. */
  readonly state: string
  readonly lackingGuards: LackingGuards
  /** Where whoever looks finds the calls that are under way. */
  readonly actors: Registry
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
  readonly received: ReceivedPayload
  /** How many calls were there before it, where that were too many for its handlers to run. */
  readonly crowd?: number
  /** Its client answered it and left it for a host. */
  readonly isLeft?: boolean
  readonly client?: Client | undefined
  /** Its id, where it was left and nothing of it is on the log yet. */
  readonly left?: InvocationId
  /** Whether nobody waits for the answer any more. */
  readonly isDisconnected: () => boolean
}

/** Whose code has something to say to an event: nobody's of the build, or nobody's that gets to; only our own; that of others as well. */
type Who = "nobody" | "ours" | "others"

const whoIsAsked = (
  { lackingGuards }: Shared,
  { found, agent, agentEvent, crowd, environment }: Call
): Who => {
  if (crowd !== undefined) return "nobody"
  const { manifest } = found
  if (isLacking(found, agent, agentEvent) || lackingGuards(manifest)(agent, agentEvent)) return "others"
  const event = eventOf(manifest, agent, agentEvent)
  if (manifest.withheld.length === 0 && !Object.hasOwn(manifest.events, event)) return "nobody"
  return isOurs(manifest, [event]) && isAtHome(environment) ? "ours" : "others"
}

/** Facts go to the log together: when a handler is about to act, and at the end. */
const factStoreSink = (store: FactStore): FactSink => {
  let pending: RedactedDraft[] = []
  let complaint = ""
  let problem: Error | undefined
  // The agent is not made to pay for our disk; whoever reads its standard error is told.
  const failed = (error: Error): void => {
    complaint ||= store.complaint(error)
  }
  const flush = async (): Promise<void> => {
    const [first, ...rest] = pending
    pending = []
    if (!first) return
    try {
      await store.commit([first, ...rest])
    } catch (error) {
      // It may go with what follows.
      pending = [first, ...rest, ...pending]
      problem = asError(error)
      failed(problem)
    }
  }
  const close = async (): Promise<void> => {
    await flush()
    if (pending.length > 0) store.missed(problem ?? new Error("unknown"))
  }
  return {
    append: (drafts) => void pending.push(...drafts),
    flush,
    failed,
    close,
    complaint: () => complaint
  }
}

/** Nobody of the build has anything to say: only what was found on the way is said. */
const unhandled = (
  adapter: Adapter,
  { agentEvent, crowd, found, transport }: Call,
  taken: (decoded: Decoded) => void
): Handling =>
  emptyHandling(adapter, agentEvent, taken, [
    ...(crowd === undefined
      ? []
      : [
          diagnostic("warn", `no hook was run: the host had ${crowd} other calls to answer at the same time`)
        ]),
    ...noticesOf({
      adapter,
      agentEvent,
      transport: transportOf({ transport }),
      warnings: found.warnings,
      hints: found.hints
    })
  ])

/** The answer, committed. Fails with `FallbackRequired` when the entrypoint has to do it; then nothing was recorded. */
export const invoke = async (shared: Shared, call: Call): Promise<Answer> => {
  const { agent, agentEvent, cwd, deadlineMs, environment, found, project, transport } = call
  const { sources } = shared
  const adapter = Object.hasOwn(shared.adapters, agent) ? shared.adapters[agent] : undefined
  if (!adapter) throw new FallbackRequired(`no agent is called ${agent}`)
  const id = call.left ?? invocationId(sources)
  const elapsed = () => monotonic() - call.began
  const answering: Edge = {
    deliver: (encoded, noise) => {
      const delivery = performed(encoded, noise)
      return call.isDisconnected()
        ? { ...delivery, error: new Error("nobody waited for the answer any more") }
        : delivery
    }
  }
  const edge = call.isLeft ? leftEdge(adapter, agentEvent, transportOf(call)) : answering
  const who = whoIsAsked(shared, call)
  const { manifest } = found
  const remote = (): RemoteOptions => ({
    workers: shared.workers,
    build: manifest.dir,
    lease: {
      invocation: id,
      call: call.call,
      bundle: bundleOf(manifest, eventOf(manifest, agent, agentEvent)),
      agent,
      agentEvent,
      transport: transportOf(call),
      cwd,
      project,
      timestamp: new Date(sources.now()).toISOString(),
      deadlineMs,
      began: call.began,
      environment: environment.all(),
      guards: [...(manifest.guards ?? []), ...(found.lost ?? [])],
      ...(found.lost === undefined ? {} : { lost: found.lost }),
      warnings: found.warnings,
      hints: found.hints
    },
    elapsed,
    isDisconnected: call.isDisconnected,
    afterwards: shared.afterwards
  })
  const parsed = parsePayload(call.received)
  const handling: Handling & Partial<Pick<RemoteHandling, "lend" | "end">> =
    who === "others"
      ? makeRemoteHandling(remote())
      : who === "ours"
        ? makeHostHandling({
            ...remote(),
            atWork: isOurs(manifest, ownEvents) ? shared.atWork : shared.workers,
            state: shared.state
          })
        : unhandled(adapter, call, (decoded) => {
            try {
              enterSession({ state: shared.state, guards: found.manifest.guards }, decoded)
            } catch {
              // The next call with a handler enters it, and says why where that cannot be done.
            }
          })
  const actor = enterInvocation(shared.actors, id, { agent, agentEvent, project })
  try {
    if ("text" in parsed) handling.lend?.(parsed.text)
    const { complaint, delivery, instead, undelivered } = await runInvocation({
      id,
      adapter,
      agent,
      agentEvent,
      opening: {
        transport,
        cwd,
        project,
        env: allowedEnvironment(environment.get),
        build: found.manifest.build,
        config: found.manifest.config,
        deadlineMs,
        call: call.call === "" ? undefined : call.call,
        route: call.isLeft ? "client" : undefined,
        client: call.client
      },
      handling,
      sink: factStoreSink(shared.factStore),
      edge,
      sources,
      read: () => call.received,
      parse: () => parsed,
      digest: (bytes) => digestOf(shared.key, bytes),
      logLevel: environment.get("HOOKTAPE_LOG_LEVEL"),
      failureHints: failureHintsFor(shared.state, environment.get("HOOKTAPE_FAILURE_HINTS")),
      elapsed,
      onStep: actor.onStep,
      // Over HTTP there is no elsewhere.
      isRaised: (error) => error instanceof FallbackRequired && transport !== "http"
    })
    return { ...delivery, stderr: delivery.stderr + complaint, instead, undelivered }
  } finally {
    actor.leave()
    const { end } = handling
    // Not on the reply's time.
    if (end) setImmediate(end)
  }
}
