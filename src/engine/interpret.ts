/** How the commands of an invocation are carried out: the one interpreter for every way a hook call comes in. */
import * as Micro from "effect/Micro"
import type { InvocationFact, Planned } from "../../events/facts.ts"
import type { InvocationId } from "../../events/ids.ts"
import type { JsonObject } from "../../events/intents.ts"
import type { Attributed, InvocationCommand } from "../../machines/invocation.ts"
import type { Adapter, Decoded, Transport } from "../adapters/Adapter.ts"
import type { Hook, HookContext } from "../hooks/defineHook.ts"
import { answer } from "./answer.ts"
import { repeated } from "./clip.ts"
import type { Edge } from "./Edge.ts"
import { errorOf } from "./errors.ts"
import type { Isolation } from "./isolate.ts"
import type { Noise, NoiseChunk } from "./noise.ts"
import { parsePayload } from "./payload.ts"
import { type Plan, type PlanInput, plan, type Registered } from "./registry.ts"
import { type Ended, type RunEffect, runHandler } from "./runHandler.ts"
import type { Inlet } from "./stdin.ts"
import { watched } from "./watchdog.ts"

/** What the world is to one invocation. */
export interface Surroundings {
  readonly invocation: InvocationId
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly transport: Transport
  readonly cwd: string
  readonly project: string
  /** When the invocation was opened, ISO 8601. */
  readonly timestamp: string
  readonly deadlineMs: number
  readonly registry: readonly Registered[]
  /** What the runtime itself has to say, such as a hook file that is not trusted. */
  readonly notices: NonNullable<Plan["notices"]>
  readonly read: (deadlineMs: number) => Inlet
  readonly digest: (bytes: Uint8Array) => string
  readonly edge: Edge
  readonly noise: Noise
  readonly isolation: Isolation
  readonly runEffect?: RunEffect | undefined
  /** The least level of a diagnostic that is shown; all are recorded. Default `info`. */
  readonly logLevel?: string | undefined
  /** Monotonic, milliseconds. */
  readonly elapsed: () => number
}

/** What `onError` added to a failure, or how it failed itself. */
type Rescue = Pick<Extract<InvocationFact, { type: "HANDLER_FAILED" }>, "intents" | "onError">

/** A handler that could only time out is not started. */
const leastMs = 1

/** A condition is a glance. */
const conditionMs = 250

/** Microseconds are as fine as a log needs. */
const round = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

export const makeInterpreter = (world: Surroundings) => {
  let text = ""
  let decoded: Decoded | undefined
  let strayed: ((error: Error) => void) | undefined
  let running: number | undefined
  let handlers: readonly Planned[] = []
  let startedCount = 0
  let succeeded = 0
  /** What failed after its handler was done: nobody waits for it, and it must not be lost. */
  let late: { readonly owner: number | undefined; readonly text: string }[] = []
  const ms: Record<string, number> = {}
  let entered = 0

  /** Closes a state's share of the invocation's time. */
  const leave = (state: string) => {
    const now = world.elapsed()
    ms[state] = round(now - entered)
    entered = now
  }

  const heard = (planned?: Planned): readonly InvocationFact[] => {
    const heardOf = (chunk: NoiseChunk, who: Planned | undefined): InvocationFact => ({
      type: "NOISE_CAPTURED",
      ...chunk,
      ...(who ? { handler: who.handler } : {})
    })
    const facts = world.noise.take().map((chunk) => heardOf(chunk, planned))
    const strays = late.map(({ owner, text }) =>
      heardOf(
        { stream: "stderr", bytes: Buffer.byteLength(text), text },
        owner === undefined ? undefined : handlers[owner]
      )
    )
    late = []
    return [...facts, ...strays]
  }

  const buffer = (deadlineMs: number): readonly InvocationFact[] => {
    const inlet = world.read(deadlineMs)
    leave("buffering")
    const parsed = parsePayload(inlet)
    if ("rejected" in parsed) {
      const { rejected: reason, detail, excerpt } = parsed
      return [
        {
          type: "PAYLOAD_REJECTED",
          reason,
          detail,
          bytes: inlet.kind === "too-large" ? inlet.total : inlet.bytes.length,
          digest: world.digest(inlet.bytes),
          ...(excerpt === undefined ? {} : { excerpt })
        }
      ]
    }
    text = parsed.text
    decoded = world.adapter.decode(world.agentEvent, parsed.payload)
    return [
      {
        type: "PAYLOAD_BUFFERED",
        bytes: inlet.bytes.length,
        payload: text,
        ...repeated(decoded)
      }
    ]
  }

  const planInput = (): PlanInput => ({
    agent: world.adapter.agent,
    project: world.project,
    tool: decoded?.tool,
    events: decoded?.events ?? [],
    deadlineMs: world.deadlineMs,
    watch: (work) =>
      watched(Math.max(leastMs, Math.min(conditionMs, world.deadlineMs - world.elapsed())), work)
  })

  /** Parsed anew for each handler: what one does to its copy is nobody else's concern. */
  const contextFor = (planned: Planned, metadata: JsonObject, signal: () => AbortSignal): HookContext => {
    const payload = JSON.parse(text) as JsonObject
    const own = world.adapter.decode(world.agentEvent, payload)
    // One tool call may edit several files: the same handler is then planned once for each event, in their order.
    const isTwin = ({ handler, event, index }: Planned) =>
      handler === planned.handler && event === planned.event && index < planned.index
    const dispatched = own.events.filter(({ event }) => event === planned.event)[
      handlers.filter(isTwin).length
    ]
    return {
      ...dispatched?.data,
      event: planned.event,
      agent: world.adapter.agent,
      agentEvent: world.agentEvent,
      invocation: world.invocation,
      session: own.session,
      cwd: own.cwd ?? world.cwd,
      project: world.project,
      timestamp: world.timestamp,
      payload,
      metadata: JSON.parse(JSON.stringify(metadata)) as JsonObject,
      ...(own.tool ? { tool: own.tool } : {}),
      get signal() {
        return signal()
      }
    } as unknown as HookContext
  }

  /** Runs a piece of a handler's code as that handler's own. */
  const within = (hook: Hook, planned: Planned, metadata: JsonObject): Micro.Micro<Ended> =>
    Micro.suspend(() => {
      running = planned.index
      const deadlineMs = Math.max(leastMs, Math.min(planned.deadlineMs, world.deadlineMs - world.elapsed()))
      return Micro.map(
        runHandler(hook, (signal) => contextFor(planned, metadata, signal), {
          deadlineMs,
          runEffect: world.runEffect,
          onStray: (failed) => {
            strayed = failed
            return () => {
              strayed = undefined
            }
          },
          // With one handler whatever strays is its own; telling several apart costs.
          within: (work) => (handlers.length > 1 ? world.isolation.attribute(planned.index, work) : work())
        }),
        (ended) => {
          running = undefined
          return ended
        }
      )
    })

  const run = (
    command: Extract<InvocationCommand, { type: "RUN_HANDLER" }>
  ): Micro.Micro<readonly InvocationFact[]> => {
    const { planned, attempt, metadata } = command
    const registered = world.registry.find(({ hook }) => hook.name === planned.handler)
    const common = { handler: planned.handler, event: planned.event, index: planned.index, attempt }
    const policy = planned.onFailure
    if (!registered) {
      const error = { name: "UnknownHandler", message: "is in the plan, but not in this build" }
      return Micro.succeed([{ type: "HANDLER_FAILED", ...common, error, policy, ms: 0 }])
    }
    const { hook } = registered
    const started = world.elapsed()
    const deadlineMs = Math.max(leastMs, Math.min(planned.deadlineMs, world.deadlineMs - started))
    const took = () => round(world.elapsed() - started)
    return Micro.gen(function* () {
      const ended = yield* within(hook, planned, metadata)
      if (ended.kind === "succeeded") {
        succeeded++
        return [...heard(planned), { type: "HANDLER_SUCCEEDED", ...common, ...ended.outcome, ms: took() }]
      }
      const error =
        ended.kind === "failed" ? ended.error : new Error(`did not finish within ${deadlineMs} ms`)
      const after = yield* rescue(hook, error, planned, metadata)
      const failed: InvocationFact =
        ended.kind === "failed"
          ? { type: "HANDLER_FAILED", ...common, error: errorOf(error), policy, ...after, ms: took() }
          : { type: "HANDLER_TIMED_OUT", ...common, deadlineMs, policy, ...after, ms: took() }
      return [...heard(planned), failed]
    })
  }

  /** The handler's own word on its failure: intents besides what the policy says. Its failure changes nothing. */
  const rescue = (hook: Hook, error: Error, planned: Planned, metadata: JsonObject): Micro.Micro<Rescue> => {
    const { onError } = hook
    if (onError === undefined) return Micro.succeed({})
    const again: Hook = { ...hook, run: (context) => onError.call(hook, error, context) }
    return Micro.map(within(again, planned, metadata), (ended): Rescue => {
      if (ended.kind === "succeeded") return { intents: ended.outcome.intents }
      return {
        onError: errorOf(ended.kind === "failed" ? ended.error : new Error("onError did not finish in time"))
      }
    })
  }

  const begin = (planned: Planned, attempt: number): InvocationFact => {
    const { handler, event, index, onFailure: policy, stuck } = planned
    const late = world.deadlineMs - world.elapsed() < leastMs
    const reason = stuck ?? (late ? "the invocation's deadline has passed" : undefined)
    if (reason !== undefined) return { type: "HANDLER_SKIPPED", handler, event, index, reason, policy }
    startedCount++
    return { type: "HANDLER_STARTED", handler, event, index, attempt }
  }

  const deliver = (intents: readonly Attributed[], noise: string): readonly InvocationFact[] => {
    const { encoded, channels } = answer(world, intents, decoded?.tool)
    leave("handling")
    const after = heard()
    const { stdout, stderr, exitCode, error } = world.edge.deliver(encoded, noise)
    const told = { stdout, stderr, exitCode, channels }
    return error
      ? [...after, { type: "DELIVERY_FAILED", ...told, error: errorOf(error) }]
      : [...after, { type: "REPLY_DELIVERED", ...told }]
  }

  const interpret = (command: InvocationCommand): Micro.Micro<readonly InvocationFact[]> => {
    switch (command.type) {
      case "BUFFER":
        return Micro.sync(() => buffer(command.deadlineMs))
      case "PLAN":
        return Micro.sync(() => {
          const planned = plan(world.registry, planInput())
          handlers = planned.handlers
          const notices = world.notices.length > 0 ? { notices: world.notices } : {}
          return [{ type: "HANDLERS_PLANNED", ...planned, ...notices }]
        })
      case "START_HANDLER":
        return Micro.sync(() => [begin(command.planned, command.attempt)])
      case "RUN_HANDLER":
        return Micro.suspend(() => run(command))
      case "DELIVER":
        return Micro.sync(() => deliver(command.intents, command.noise))
      case "EXIT":
        return Micro.sync(() => {
          leave("emitting")
          const summary = { planned: handlers.length, started: startedCount, succeeded }
          return [...heard(), { type: "EXITED", code: command.code, ms, summary }]
        })
    }
  }

  /** A failure outside of any call: the running handler's, or, where its handler is done, only noise. */
  const stray = (error: Error, owner: number | undefined): void => {
    if (strayed && (owner === undefined || owner === running)) strayed(error)
    else {
      const { name, message, stack = `${name}: ${message}` } = errorOf(error)
      late.push({ owner: owner ?? (handlers.length === 1 ? 0 : undefined), text: `${stack}\n` })
    }
  }

  /** Nothing is left that could end the running handler: its promise can never settle. */
  const abandon = (): void =>
    strayed?.(new Error("left nothing to wait for: what it returned can never settle"))

  return { interpret, stray, abandon }
}
