/** What a handler gets: made anew for each, so that what one does to its copy is nobody else's concern. */
import type { JsonObject } from "../../events/intents.ts"
import type { Adapter } from "../adapters/Adapter.ts"
import type { Hook, HookContext } from "../hooks/defineHook.ts"
import type { Aid } from "../services/aid.ts"

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
  readonly aid?: Aid | undefined
  readonly signal: () => AbortSignal
}

/** `text`: the payload as it came. */
export const makeContext = (
  world: ContextWorld,
  text: string,
  { aid, hook, event, metadata, nth, signal }: Asked
): HookContext => {
  const payload = JSON.parse(text) as JsonObject
  const own = world.adapter.decode(world.agentEvent, payload)
  const dispatched = own.events.filter((one) => one.event === event)[nth]
  const cwd = own.cwd ?? world.cwd
  return {
    ...dispatched?.data,
    event,
    agent: world.adapter.agent,
    agentEvent: world.agentEvent,
    invocation: world.invocation,
    session: own.session,
    cwd,
    project: world.project,
    timestamp: world.timestamp,
    payload,
    settings: JSON.parse(JSON.stringify(hook.settings ?? {})) as JsonObject,
    metadata: JSON.parse(JSON.stringify(metadata)) as JsonObject,
    ...(own.tool ? { tool: own.tool } : {}),
    get services() {
      return aid?.services(cwd, payload)
    },
    get signal() {
      return signal()
    }
  } as unknown as HookContext
}
