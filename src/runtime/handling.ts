/** What only the thread of the handlers can do for an invocation: plan them, run them, hear what they write. */
import * as Micro from "effect/Micro"
import type { InvocationFact, Planned, RanIn } from "../../events/facts.ts"
import { type InvocationId, isUuid } from "../../events/ids.ts"
import { diagnostic, type JsonObject } from "../../events/intents.ts"
import type { InvocationCommand } from "../../machines/invocation.ts"
import type { Adapter, Decoded } from "../agents/Adapter.ts"
import type { Past } from "../history/Past.ts"
import type { Hook } from "../hooks/defineHook.ts"
import type { HookContext, WhenContext } from "../hooks/HookContext.ts"
import type { Registered } from "../hooks/Registered.ts"
import { isShippedSource } from "../state/shippedSource.ts"
import { makeContext } from "./context.ts"
import { errorOf } from "./errors.ts"
import type { Isolation } from "./isolate.ts"
import type { Noise, NoiseChunk } from "./noise.ts"
import { unknownEvent } from "./notices.ts"
import { type Plan, type PlanInput, plan } from "./registry.ts"
import { type Ended, type RunEffect, runHandler } from "./runHandler.ts"
import type {
  HandlerServices,
  HandlerServicesWorld,
  MakeHandlerServices
} from "./services/handlerServices.ts"
import { shareOf } from "./share.ts"
import { broughtBy, leastMs, started } from "./start.ts"
import { type Watch, watched } from "./watchdog.ts"

/** The commands that need the handlers' own thread. */
export type HandlingCommand = Extract<
  InvocationCommand,
  { type: "PLAN" } | { type: "START_HANDLER" } | { type: "RUN_HANDLER" }
>

export const isHandling = (command: InvocationCommand): command is HandlingCommand =>
  command.type === "PLAN" || command.type === "START_HANDLER" || command.type === "RUN_HANDLER"

/** A payload that was taken in. */
export interface Taken {
  readonly text: string
  readonly decoded: Decoded
}

/** Where handlers run: in this process, or behind a thread's port. */
export interface Handling {
  /** Once, before the first command. */
  readonly take: (taken: Taken) => void
  readonly interpret: (command: HandlingCommand) => Micro.Micro<readonly InvocationFact[]>
  /** What was written or thrown since handlers were last heard of. */
  readonly drainNoise: () => readonly InvocationFact[]
}

export interface ForSession {
  readonly registry: readonly Registered[]
  readonly notices: NonNullable<Plan["notices"]>
}

/** What the world is to the handlers of one invocation. */
export interface HandlingWorld extends HandlerServicesWorld {
  readonly invocation: InvocationId
  /** What its client called it: handled again after a host's end, it has the same jobs again. */
  readonly call?: string | undefined
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly cwd: string
  /** When the invocation was opened, ISO 8601. */
  readonly timestamp: string
  readonly deadlineMs: number
  /** What this is, in the facts of the handlers that run here. */
  readonly ranIn?: RanIn | undefined
  readonly registry: readonly Registered[]
  /** The hooks of this very call, once its session is known, and what there is to say of them. */
  readonly forSession?: ((decoded: Decoded) => ForSession) | undefined
  /** Asked for by the first handler that wants a service. */
  readonly handlerServices?: (() => MakeHandlerServices) | undefined
  /** Without one no hook has a past: its limits do not count. */
  readonly past?: Past | undefined
  /** What the runtime itself has to say, such as a hook file that is not trusted. */
  readonly notices: NonNullable<Plan["notices"]>
  readonly noise: Noise
  readonly isolation: Isolation
  /** Called around each piece of hooks' code, as far as it goes without waiting. */
  readonly around?: (<A>(work: () => A) => A) | undefined
  /** How the code of hooks is kept from running on; ended at its deadline where nothing is said. */
  readonly watch?: Watch | undefined
  /** Puts back what a handler changed of what all code stands on. */
  readonly mend?: (() => void) | undefined
  readonly runEffect?: RunEffect | undefined
}

/** Handling in this thread. */
export interface LocalHandling extends Handling {
  /** Takes up an invocation whose plan another thread made. */
  readonly resume: (handlers: readonly Planned[]) => void
  /** A failure outside of any call: the running handler's, or, where its handler is done, only noise. */
  readonly stray: (error: Error, owner: number | undefined) => void
  /** Nothing is left that could end the running handler: its promise can never settle. */
  readonly abandon: () => void
}

/** What `onError` added to a failure, or how it failed itself. */
type Rescue = Pick<Extract<InvocationFact, { type: "HANDLER_FAILED" }>, "intents" | "onError">

/** A predicate is over before anything could end. */
const unending = (): AbortSignal => new AbortController().signal

/** A condition is a glance; a busy machine may blink in the middle of it. */
const conditionMs = 1000
/** What is left of it where all of the call's time went by before: a glance is no work, and a background hook is left out without it. */
const leastConditionMs = 100

/** Microseconds are as fine as a log needs. */
export const round = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

export const makeHandling = (world: HandlingWorld): LocalHandling => {
  let text = ""
  let decoded: Decoded | undefined
  let strayed: ((error: Error) => void) | undefined
  let running: number | undefined
  let handlers: readonly Planned[] = []
  /** What failed after its handler was done: nobody waits for it, and it must not be lost. */
  let late: { readonly owner: number | undefined; readonly text: string }[] = []

  const { around = (work) => work(), watch = watched } = world
  let session: ForSession | undefined
  const forSession = (): ForSession => {
    if (decoded === undefined || world.forSession === undefined)
      return { registry: world.registry, notices: [] }
    session ??= world.forSession(decoded)
    return session
  }

  const drainNoise = (planned?: Planned): readonly InvocationFact[] => {
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

  const planInput = (): PlanInput => ({
    agent: world.adapter.agent,
    project: world.project,
    tool: decoded?.tool,
    events: decoded?.events ?? [],
    deadlineMs: world.deadlineMs,
    invocation: world.call !== undefined && isUuid(world.call) ? world.call : world.invocation,
    recorded: world.invocation,
    session: decoded?.session ?? null,
    context: (hook, event, nth, isShipped) =>
      makeContext(world, text, {
        hook,
        event,
        nth,
        metadata: {},
        signal: unending,
        decoded: isShipped ? decoded : undefined
      }) as unknown as WhenContext,
    past: world.past,
    watch: (work) =>
      watch(Math.max(leastConditionMs, Math.min(conditionMs, world.deadlineMs - world.elapsed())), work)
  })

  const contextFor = (
    hook: Hook,
    planned: Planned,
    metadata: JsonObject,
    handlerServices: HandlerServices | undefined,
    signal: () => AbortSignal
  ): HookContext => {
    // One tool call may edit several files: the same handler is then planned once for each event, in their order.
    const isTwin = ({ handler, event, index }: Planned) =>
      handler === planned.handler && event === planned.event && index < planned.index
    const nth = handlers.filter(isTwin).length
    return makeContext(world, text, {
      hook,
      event: planned.event,
      nth,
      metadata,
      handlerServices,
      signal,
      decoded: isShippedSource(planned.source) ? decoded : undefined
    })
  }

  const leftFor = (planned: Planned, spentMs: number): number =>
    Math.max(
      leastMs,
      Math.min(
        planned.deadlineMs - spentMs,
        shareOf(world.deadlineMs - world.elapsed(), handlers.length - 1 - planned.index)
      )
    )

  const handlerServicesFor = (asking: Parameters<MakeHandlerServices>[1]): HandlerServices | undefined => {
    const { handlerServices } = world
    if (handlerServices === undefined) return undefined
    let made: HandlerServices | undefined
    return {
      services: (cwd, payload) => {
        made ??= handlerServices()(world, asking)
        return made.services(cwd, payload)
      },
      end: () => made?.end() ?? []
    }
  }

  /** Runs a piece of a handler's code as that handler's own. */
  const within = (
    hook: Hook,
    planned: Planned,
    metadata: JsonObject,
    handlerServices: HandlerServices | undefined,
    spentMs: number
  ): Micro.Micro<Ended> =>
    Micro.suspend(() => {
      running = planned.index
      const deadlineMs = leftFor(planned, spentMs)
      return Micro.map(
        runHandler(hook, (signal) => contextFor(hook, planned, metadata, handlerServices, signal), {
          deadlineMs,
          runEffect: world.runEffect,
          watch,
          mend: world.mend,
          onStray: (failed) => {
            strayed = failed
            return () => {
              strayed = undefined
            }
          },
          // With one handler whatever strays is its own; telling several apart costs.
          within: (work) =>
            around(() => (handlers.length > 1 ? world.isolation.attribute(planned.index, work) : work()))
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
    const { planned, attempt, metadata, spentMs = 0 } = command
    const named = forSession().registry.filter(({ hook }) => hook.name === planned.handler)
    const registered = named.find(({ source }) => source === planned.source) ?? named[0]
    const common = { handler: planned.handler, event: planned.event, index: planned.index, attempt }
    const policy = planned.onFailure
    if (!registered) {
      const error = { name: "UnknownHandler", message: "is in the plan, but not in this build" }
      return Micro.succeed([{ type: "HANDLER_FAILED", ...common, error, policy, ms: 0 }])
    }
    const { hook } = registered
    const began = world.elapsed()
    const deadlineMs = leftFor(planned, spentMs)
    const took = () => round(world.elapsed() - began)
    const placed = {
      ...broughtBy(planned),
      fromUs: Math.round(began * 1000),
      ...(world.ranIn === undefined ? {} : { process: world.ranIn })
    }
    const handlerServices = handlerServicesFor(common)
    return Micro.gen(function* () {
      const ended = yield* within(hook, planned, metadata, handlerServices, spentMs)
      if (ended.kind === "succeeded") {
        return [
          ...drainNoise(planned),
          ...(handlerServices?.end() ?? []),
          { type: "HANDLER_SUCCEEDED", ...common, ...ended.outcome, ...placed, ms: took() }
        ]
      }
      const error =
        ended.kind === "failed" ? ended.error : new Error(`did not finish within ${deadlineMs} ms`)
      const after = yield* rescue(hook, error, planned, metadata, handlerServices, spentMs)
      const failed: InvocationFact =
        ended.kind === "failed"
          ? {
              type: "HANDLER_FAILED",
              ...common,
              error: errorOf(error),
              policy,
              ...after,
              ...placed,
              ms: took()
            }
          : { type: "HANDLER_TIMED_OUT", ...common, deadlineMs, policy, ...after, ...placed, ms: took() }
      return [...drainNoise(planned), ...(handlerServices?.end() ?? []), failed]
    })
  }

  /** The handler's own word on its failure: intents besides what the policy says. Its failure changes nothing. */
  const rescue = (
    hook: Hook,
    error: Error,
    planned: Planned,
    metadata: JsonObject,
    handlerServices: HandlerServices | undefined,
    spentMs: number
  ): Micro.Micro<Rescue> => {
    const { onError } = hook
    if (onError === undefined) return Micro.succeed({})
    const again: Hook = { ...hook, run: (context) => onError.call(hook, error, context) }
    return Micro.map(within(again, planned, metadata, handlerServices, spentMs), (ended): Rescue => {
      if (ended.kind === "succeeded") return { intents: ended.outcome.intents }
      return {
        onError: errorOf(ended.kind === "failed" ? ended.error : new Error("onError did not finish in time"))
      }
    })
  }

  const interpret = (command: HandlingCommand): Micro.Micro<readonly InvocationFact[]> => {
    switch (command.type) {
      case "PLAN":
        return Micro.sync(() => {
          const { notices, registry } = around(forSession)
          const planned = around(() => plan(registry, planInput()))
          handlers = planned.handlers
          const said = [
            ...world.notices,
            ...notices,
            ...unknownEvent(world.adapter, world.agentEvent, decoded, planned),
            ...(world.past?.complaints() ?? []).map((told) => diagnostic("warn", told))
          ]
          return [{ type: "HANDLERS_PLANNED", ...planned, ...(said.length > 0 ? { notices: said } : {}) }]
        })
      case "START_HANDLER":
        return started(command, () => world.deadlineMs - world.elapsed())
      case "RUN_HANDLER":
        return Micro.suspend(() => run(command))
    }
  }

  const stray = (error: Error, owner: number | undefined): void => {
    if (strayed && (owner === undefined || owner === running)) strayed(error)
    else {
      const { name, message, stack = `${name}: ${message}` } = errorOf(error)
      late.push({ owner: owner ?? (handlers.length === 1 ? 0 : undefined), text: `${stack}\n` })
    }
  }

  const abandon = (): void =>
    strayed?.(new Error("left nothing to wait for: what it returned can never settle"))

  return {
    take: (taken) => ({ text, decoded } = taken),
    resume: (planned) => {
      handlers = planned
    },
    interpret,
    drainNoise,
    stray,
    abandon
  }
}
