/** What a handler is given, and what it may give back. Types alone. */
import type { Agent, HookEvent, Tool } from "../../events/agentEvents.ts"
import type { EventData } from "../../events/eventData.ts"
import type { SessionId } from "../../events/ids.ts"
import type { Intent, JsonObject } from "../../events/intents.ts"
import type { Services } from "./Services.ts"

type Known<E extends HookEvent> = E extends keyof EventData ? EventData[E] : JsonObject

/**
 * What a handler gets. Each handler has its own copy: changing it changes nothing for the others.
 *
 * @example
 * const where = ({ cwd, agent }: HookContext) => `${agent} in ${cwd}`
 */
export type HookContext<E extends HookEvent = HookEvent> = E extends HookEvent
  ? {
      readonly event: E
      readonly agent: Agent
      /** The agent's own name for the event. */
      readonly agentEvent: string
      readonly invocation: string
      readonly session: SessionId | null
      readonly cwd: string
      /** The nearest ancestor of `cwd` that holds `.hooktape/`, else the git root, else `cwd`. */
      readonly project: string
      /** When the invocation was opened, ISO 8601. */
      readonly timestamp: string
      /** The agent's payload, untouched. */
      readonly payload: JsonObject
      /** The hook's own `settings`, and over them those that the configuration has for it. */
      readonly settings: JsonObject
      /** Patched by the handlers before this one. */
      readonly metadata: JsonObject
      /** Clock, files, commands, the log and more: what they answer is recorded, so that a replay can give it again. */
      readonly services: Services
      /** Aborts when the handler's deadline has passed. */
      readonly signal: AbortSignal
    } & (E extends "tool.batch"
      ? unknown
      : E extends `tool.${string}`
        ? { readonly tool: Tool }
        : { readonly tool?: Tool }) &
      Known<E>
  : never

/**
 * An Effect as seen from here, so that these types need no dependency.
 *
 * @example
 * const later = (hint: EffectOf<UserHint>): HookDefinition<"notify">["run"] => () => hint
 */
export interface EffectOf<A> {
  readonly pipe: unknown
  [Symbol.iterator](): { next(...values: never[]): IteratorResult<unknown, A> }
}

/**
 * Intents with a patch for the handlers that come after.
 *
 * @example
 * const told: WithMetadata = { intents: userHint("Seen."), metadata: { seen: true } }
 */
export interface WithMetadata<I extends Intent = Intent> {
  readonly intents?: I | readonly I[]
  readonly metadata: JsonObject
}

/**
 * Intents of a run that belongs to a chain of runs, such as an error and what was tried against it.
 *
 * @example
 * const linked: WithChain = { chain: "error 4711", intents: diagnostic("info", "tried again") }
 */
export interface WithChain<I extends Intent = Intent> {
  readonly intents?: I | readonly I[]
  readonly metadata?: JsonObject
  /** Any text of 1 to 200 characters that the runs of the chain have in common. Recorded with the run. */
  readonly chain: string
}

/**
 * What `run` may return: intents, none, or intents with something for the hooks that come after.
 *
 * @example
 * const nothing: HookResult = undefined
 * const two: HookResult = [userHint("Done."), diagnostic("info", "3 files")]
 */
export type HookResult<I extends Intent = Intent> =
  | I
  | readonly I[]
  | WithMetadata<I>
  | WithChain<I>
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement has exactly this type
  | void
  | undefined
  | null

/**
 * What a predicate sees: the context of `run`, before any handler has patched its metadata.
 *
 * @example
 * const isLong = ({ tool }: WhenContext<"tool.before">) => (tool.command?.length ?? 0) > 500
 */
export type WhenContext<E extends HookEvent = HookEvent> =
  HookContext<E> extends infer C ? (C extends unknown ? Omit<C, "signal" | "services"> : never) : never
