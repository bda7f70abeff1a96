/** Fires one of hooktape's own events: an ordinary recorded invocation, in this process, whose reply comes back as a value. */
import type { OwnEvent } from "../../../events/agentEvents.ts"
import type { EventData } from "../../../events/eventData.ts"
import type { FactId } from "../../../events/ids.ts"
import { invocationId } from "../../../events/ids.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { Attributed } from "../../../machines/replyIntents.ts"
import { raw } from "../../agents/raw/raw.ts"
import { callEnvironment } from "../../state/callEnvironment.ts"
import { payloadLimit } from "../payload.ts"
import { hooksFor, type OwnHooks } from "./hooksFor.ts"
import { runHere } from "./runHere.ts"
import { dispatchSources } from "./sources.ts"

export interface Occasion<E extends OwnEvent> {
  readonly state: string
  readonly project: string
  readonly cwd: string
  readonly event: E
  readonly data: EventData[E]
  readonly session?: string | undefined
}

export interface Dispatched {
  readonly invocation: string
  /** The last fact of it: what is done because of the reply was caused by this one. */
  readonly last: FactId | null
  readonly intents: readonly Attributed[]
  /** What the handlers patched together. */
  readonly metadata: JsonObject
  /** Who wants it stopped, and why. */
  readonly blocks: readonly { readonly handler: string; readonly reason: string }[]
}

const blocksOf = (intents: readonly Attributed[]): Dispatched["blocks"] =>
  intents.flatMap(({ handler, intent }) =>
    intent.type === "BLOCKING_FEEDBACK" ? [{ handler, reason: intent.reason }] : []
  )

const hooksOf = <E extends OwnEvent>({ event, project, state }: Occasion<E>): OwnHooks =>
  hooksFor(state, project, event, () => event)

/** Runs the hooks for it and records all of that. A hook that fails is a fact; a spool that cannot be written is an error. */
export const dispatch = async <E extends OwnEvent>(occasion: Occasion<E>): Promise<Dispatched> =>
  fire(occasion, hooksOf(occasion))

/** The same, and nothing at all where no hook wants to know of it, and there is nothing to say of those that might. */
export const dispatchIfHooked = async <E extends OwnEvent>(
  occasion: Occasion<E>
): Promise<Dispatched | undefined> => {
  const hooks = hooksOf(occasion)
  return hooks.registry.length === 0 && hooks.problem === undefined ? undefined : fire(occasion, hooks)
}

const fire = async <E extends OwnEvent>(occasion: Occasion<E>, hooks: OwnHooks): Promise<Dispatched> => {
  const { state, project, cwd, event, data, session } = occasion
  const bytes = Buffer.from(JSON.stringify({ ...data, cwd, ...(session === undefined ? {} : { session }) }))
  const id = invocationId(dispatchSources)
  const environment = callEnvironment()
  const { context, last } = await runHere({
    id,
    state,
    project,
    cwd,
    adapter: raw,
    agentEvent: event,
    env: (name) => environment[name],
    hooks,
    read: () =>
      bytes.length > payloadLimit
        ? { kind: "too-large", bytes, total: bytes.length }
        : { kind: "buffered", bytes },
    // Whoever fired it is no agent, and hears of it.
    isRaised: () => true
  })
  const { intents = [], metadata = {} } = context ?? {}
  return { invocation: id, last, intents, metadata, blocks: blocksOf(intents) }
}
