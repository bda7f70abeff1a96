/** What a handler gets: made anew for each, so that what one does to its copy is nobody else's concern. */
import type { JsonObject } from "../../events/intents.ts"
import type { Adapter, Decoded } from "../agents/Adapter.ts"
import type { Hook } from "../hooks/defineHook.ts"
import type { HookContext } from "../hooks/HookContext.ts"
import type { HandlerServices } from "./services/handlerServices.ts"

/** What is the same for all handlers of one invocation. */
export interface ContextWorld {
  readonly adapter: Adapter
  readonly agentEvent: string
  readonly invocation: string
  readonly cwd: string
  readonly project: string
  readonly timestamp: string
}

export interface Asked {
  readonly hook: Hook
  readonly event: string
  /** Which of several like events of the invocation. */
  readonly nth: number
  readonly metadata: JsonObject
  /** A predicate has none: what it says may depend on nothing but what it sees. */
  readonly handlerServices?: HandlerServices | undefined
  readonly signal: () => AbortSignal
  /** Of what comes with hooktape and changes nothing: the payload as it was read for the call, in place of a copy. */
  readonly decoded?: Decoded | undefined
}

/** `text`: the payload as it came. */
export const makeContext = (
  world: ContextWorld,
  text: string,
  { handlerServices, decoded, hook, event, metadata, nth, signal }: Asked
): HookContext => {
  let read: JsonObject | undefined
  const payloadOf = (): JsonObject => (read ??= JSON.parse(text) as JsonObject)
  const own = decoded ?? world.adapter.decode(world.agentEvent, payloadOf())
  const dispatched = own.events.filter((one) => one.event === event)[nth]
  const cwd = own.cwd ?? world.cwd
  /** A copy where the code is not ours. */
  const given = (value: JsonObject): JsonObject =>
    decoded === undefined ? (JSON.parse(JSON.stringify(value)) as JsonObject) : value
  const context = {
    ...dispatched?.data,
    event,
    agent: world.adapter.agent,
    agentEvent: world.agentEvent,
    invocation: world.invocation,
    session: own.session,
    cwd,
    project: world.project,
    timestamp: world.timestamp,
    ...(decoded === undefined ? { payload: payloadOf() } : {}),
    settings: given(hook.settings ?? {}),
    metadata: given(metadata),
    ...(own.tool ? { tool: own.tool } : {}),
    get services() {
      return handlerServices?.services(cwd, payloadOf())
    },
    get signal() {
      return signal()
    }
  } as unknown as HookContext
  // Read where somebody asks for it.
  return decoded === undefined ? context : Object.defineProperty(context, "payload", { get: payloadOf })
}
