/** How a hook author says what to run when: one typed value per hook. */
import type { Agent, HookEvent, Tool, ToolKind } from "../../events/agentEvents.ts"
import type { EventData } from "../../events/eventData.ts"
import type { SessionId } from "../../events/ids.ts"
import type {
  Diagnostic,
  IfCannotAsk,
  Intent,
  JsonObject,
  ModelContext,
  UserHint
} from "../../events/intents.ts"
import type { Services } from "./Services.ts"

/**
 * What a failing or late handler means to the agent: go on, stop the action, or let the human decide.
 *
 * @example
 * const guard: FailurePolicy = "block"
 */
export type FailurePolicy = "allow" | "block" | "ask"

/**
 * Milliseconds, or a number and a unit: `"500 millis"`, `"2 seconds"`, `"1 minute"`.
 *
 * @example
 * const deadlines: readonly Duration[] = [1500, "500 millis", "2 seconds"]
 */
export type Duration =
  | number
  | `${number} ${"millis" | "milli" | "second" | "seconds" | "minute" | "minutes"}`

/**
 * Also `"12 hours"` and `"7 days"`: how long something stays so, not how long it takes.
 *
 * @example
 * const window: LongDuration = "7 days"
 */
export type LongDuration = Duration | `${number} ${"hour" | "hours" | "day" | "days"}`

/**
 * What becomes of a job where as many wait as may: it takes the place of the oldest, or is refused.
 *
 * @example
 * const last: WhenFull = "supersede"
 */
export type WhenFull = "supersede" | "refuse"

/**
 * What a limit counts in: the session, or all sessions of the project.
 *
 * @example
 * const once: LimitScope = "project"
 */
export type LimitScope = "session" | "project"

/**
 * When what a background hook says is heard.
 *
 * @example
 * const soon: Delivery = { to: "next", within: "10 minutes", keep: "newest" }
 */
export interface Delivery {
  /** The session's next event at which the agent takes it. */
  readonly to: "next"
  /** Nobody hears of it later. Default `"1 hour"`. */
  readonly within?: LongDuration
  /** `"newest"`: what the hook says takes the place of what it said before and nobody heard. Default `"all"`. */
  readonly keep?: "all" | "newest"
}

/**
 * How long a hook stays out after a run.
 *
 * @example
 * const rest: Cooldown = { for: "15 minutes", scope: "project" }
 */
export interface Cooldown {
  readonly for: LongDuration
  /** Default `"session"`. */
  readonly scope?: LimitScope
}

/**
 * How often a hook runs at most.
 *
 * @example
 * const few: RateLimit = { limit: 3, per: "1 hour" }
 */
export interface RateLimit {
  /** At most so many runs, 1–1000 … */
  readonly limit: number
  /** … within so long. */
  readonly per: LongDuration
  /** Default `"session"`. */
  readonly scope?: LimitScope
}

/**
 * How often a failing hook is tried.
 *
 * @example
 * const again: Retry = { attempts: 3, delay: "200 millis" }
 */
export interface Retry {
  /** How often it may run altogether, 1–10. */
  readonly attempts: number
  /** How long to wait before each further attempt. Default `"100 millis"`. */
  readonly delay?: Duration
}

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

/**
 * Which calls a hook is for: all conditions that are given have to hold.
 *
 * @example
 * const publishing: When<"tool.before"> = { tool: "shell", command: /^npm publish\b/ }
 */
export interface When<E extends HookEvent = HookEvent> {
  readonly tool?: ToolKind | readonly ToolKind[]
  /** The agent's own tool name, or several. */
  readonly toolName?: string | readonly string[] | RegExp
  /** The command line of a shell tool. */
  readonly command?: string | RegExp
  /** Globs over the tool's paths, relative to the project: `src/**` and the like. */
  readonly path?: string | readonly string[]
  /** Globs over the project's directory. */
  readonly project?: string | readonly string[]
  readonly agent?: Agent | readonly Agent[]
  /**
   * Asked last, when all else holds. Pure and quick: it may be called in any process, and what it does besides answering is
   * nobody's. One that throws, hangs or answers neither true nor false leaves the hook to its `onFailure`.
   */
  // A method, so that hooks of different events fit into one list of hooks.
  matches?(context: WhenContext<E>): boolean
}

/**
 * All that a hook can say of itself.
 *
 * @example
 * const definition: HookDefinition<"tool.before"> = {
 *   name: "no-publish",
 *   on: "tool.before",
 *   when: { command: /^npm publish\b/ },
 *   onFailure: "block",
 *   run: () => blockingFeedback("Releases are published by CI.")
 * }
 */
export interface HookDefinition<E extends HookEvent = HookEvent> {
  /**
   * Unique. Of two hooks of one owner with the same name the one found later counts, of nested projects the nearest; a project's
   * hook with the name of one of the user's own is left out.
   */
  readonly name: string
  readonly on: E | readonly E[]
  readonly when?: When<E>
  /** 0–1000, lower first; equal priorities keep the order of registration. Default 500. */
  readonly priority?: number
  /** How long `run` may take. Default: what is left of the invocation's deadline. */
  readonly deadline?: Duration
  /** Default `"allow"`. */
  readonly onFailure?: FailurePolicy
  /** What an `ask` of the hook, or of its `onFailure`, means where the agent cannot ask. Default `"block"`. */
  readonly ifCannotAsk?: IfCannotAsk
  /** Default: every agent. */
  readonly agents?: readonly Agent[]
  /** Default true. */
  readonly enabled?: boolean
  /**
   * Runs as a job after the reply, again after a failure. What it returns is kept with the job: neither the model nor the
   * human hears of it unless `deliver` says so, and it cannot block; the compiler lets it return what somebody hears alone.
   * `deadline` is then its own, 1 minute by default. Default false.
   */
  readonly background?: boolean
  /**
   * In the background: what it says to the model or the human is said at the session's next event at which the agent takes it,
   * such as the next prompt or the next answer of a tool; the same word is said once.
   */
  readonly deliver?: "next" | Delivery
  /**
   * In the background, where 100 jobs of the hook wait in a project, or 1000 in all: the newest takes the place of the oldest, or is
   * refused. Default `"supersede"`.
   */
  readonly whenFull?: WhenFull
  /** Runs once in each session, or once in each project. */
  readonly once?: LimitScope
  /** Stays out for so long after each run, per session unless it says otherwise. */
  readonly cooldown?: LongDuration | Cooldown
  /** At most so many runs within so long. */
  readonly rateLimit?: RateLimit
  /**
   * How often `run` is tried while it fails, all within `deadline` and what is left of the invocation's. In the background: how
   * many attempts the job has, 5 by default. Default 1.
   */
  readonly retry?: number | Retry
  /**
   * true: it works in the agent's directory, and is left out where that does not exist; with `onFailure` `"block"` or `"ask"` that
   * is what is said then. Default false.
   */
  readonly needsDirectory?: boolean
  /** true: no hook of a nested project takes its place by having its name. Default false. */
  readonly final?: boolean
  readonly metadata?: JsonObject
  /** What the configuration can change of what the hook does: `hooks.<name>.settings` is laid over it, key by key. */
  readonly settings?: JsonObject
  // A method, so that hooks of different events fit into one list of hooks.
  run(context: HookContext<E>): HookResult | Promise<HookResult> | EffectOf<HookResult>
  /** Called when `run` failed or was late; what it returns is said besides what `onFailure` decides. Its own failure is recorded. */
  onError?(error: Error, context: HookContext<E>): HookResult | Promise<HookResult> | EffectOf<HookResult>
}

/** The mark by which a build recognises hooks among a file's exports. */
const mark = Symbol.for("hooktape/Hook")

/**
 * A hook as `defineHook` makes it: what a hook file exports.
 *
 * @example
 * const all: readonly Hook[] = [defineHook({ name: "hello", on: "session.start", run: () => userHint("Hello.") })]
 */
export type Hook<E extends HookEvent = HookEvent> = HookDefinition<E> & { readonly [key: symbol]: true }

type Returned<R> = R | Promise<R> | EffectOf<R>

/**
 * A hook that runs while the agent waits.
 *
 * @example
 * const waited: ForegroundDefinition<"prompt.submit"> = {
 *   name: "no-secrets",
 *   on: "prompt.submit",
 *   run: ({ prompt }) => (prompt.includes("BEGIN PRIVATE KEY") ? blockingFeedback("That is a private key.") : undefined)
 * }
 */
export interface ForegroundDefinition<E extends HookEvent = HookEvent> extends HookDefinition<E> {
  readonly background?: false
  readonly deliver?: never
}

/**
 * A hook that runs after the reply: what it says to the model, the human or the agent would reach nobody, so it may speak to the log alone.
 *
 * @example
 * const aside: BackgroundDefinition<"turn.stop"> = {
 *   name: "count-turns",
 *   on: "turn.stop",
 *   background: true,
 *   run: ({ session }) => diagnostic("info", `a turn of ${session} is over`)
 * }
 */
export interface BackgroundDefinition<E extends HookEvent = HookEvent>
  extends Omit<HookDefinition<E>, "background" | "deliver" | "run" | "onError"> {
  readonly background: true
  readonly deliver?: never
  run(context: HookContext<E>): Returned<HookResult<Diagnostic>>
  onError?(error: Error, context: HookContext<E>): Returned<HookResult<Diagnostic>>
}

/**
 * A hook that runs after the reply, and speaks at the session's next event.
 *
 * @example
 * const told: DeliveredDefinition<"file.edited"> = {
 *   name: "test-after-edit",
 *   on: "file.edited",
 *   background: true,
 *   deliver: "next",
 *   run: async ({ services }) => {
 *     const { exitCode, stdout } = await services.run("npm", ["test"])
 *     return exitCode === 0 ? undefined : modelContext(`The tests fail: ${stdout.slice(-500)}`)
 *   }
 * }
 */
export interface DeliveredDefinition<E extends HookEvent = HookEvent>
  extends Omit<HookDefinition<E>, "background" | "deliver" | "run" | "onError"> {
  readonly background: true
  readonly deliver: "next" | Delivery
  run(context: HookContext<E>): Returned<HookResult<Diagnostic | ModelContext | UserHint>>
  onError?(error: Error, context: HookContext<E>): Returned<HookResult<Diagnostic>>
}

/**
 * A hook, checked by the compiler: `run` sees exactly the fields its events have, and returns what somebody can still hear.
 *
 * @example
 * export default defineHook({
 *   name: "no-force-push",
 *   on: "tool.before",
 *   when: { tool: "shell", command: /git push .*--force\b/ },
 *   run: () => blockingFeedback("Use --force-with-lease.")
 * })
 */
export const defineHook = <const E extends HookEvent>(
  definition: ForegroundDefinition<E> | BackgroundDefinition<E> | DeliveredDefinition<E>
): Hook<E> => ({
  ...definition,
  [mark]: true
})

export const isHook = (value: unknown): value is Hook =>
  typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[mark] === true
